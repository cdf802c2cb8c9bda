import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

const ONE_THREAD = { OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1' };
const SCRIPT = 'e2e/bench/numpy_reference.py';

export interface NumpyRequest { op: 'completion' | 'picks' | 'spectrum'; path: string; n: number; d: number; k?: number }
export interface NumpyAnswer { ms: number; wholeMs?: number; picks?: number[]; values?: number[] }

/** numpy in a process of its own, BLAS on one thread as our kernels are. */
export class Numpy {
  private constructor(private readonly child: ChildProcessWithoutNullStreams, private readonly lines: AsyncIterator<string>, readonly version: string) {}

  /** null = python3 or numpy is not here. */
  static async start(): Promise<Numpy | null> {
    const child = spawn('python3', [SCRIPT], { env: { ...process.env, ...ONE_THREAD } });
    // Its complaint ("No module named numpy") is not ours: the row says that there is none.
    child.stderr.resume();
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const first = await lines.next();
    if (first.done) return null;
    return new Numpy(child, lines, (JSON.parse(first.value) as { numpy: string }).numpy);
  }

  async ask(request: NumpyRequest): Promise<NumpyAnswer> {
    this.child.stdin.write(`${JSON.stringify(request)}\n`);
    const line = await this.lines.next();
    if (line.done) throw new Error('numpy stopped in the middle of a request.');
    return JSON.parse(line.value) as NumpyAnswer;
  }

  stop(): void {
    this.child.stdin.end();
  }
}
