/** The user's own ONNX model on ONNX Runtime: what it declares, and a run of one window by the settings of its form. */
import { ContextscopeError } from '../core/base/errors';
import type { OnnxPort, OnnxPorts } from '../core/embedding/guess-settings';
import { poolPositions } from '../core/embedding/own-onnx';
import type { OnnxSettings } from '../core/embedding/own-encoder';
import type { InferenceEngine } from '../core/embedding/types';
import { serialised, type OrtModule, type OrtOptions } from './ort-session';

type Session = Awaited<ReturnType<OrtModule['InferenceSession']['create']>>;

export interface OwnModel {
  ports: OnnxPorts;
  /** Throws 'bad-argument' when the settings do not fit what the model declares. */
  engine(settings: OnnxSettings): InferenceEngine;
  release(): Promise<void>;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Throws 'corrupt' when the bytes are no model that the runtime can load. */
export async function openOwnModel(ort: OrtModule, model: Uint8Array, options: OrtOptions): Promise<OwnModel> {
  ort.env.wasm.numThreads = options.threads;
  ort.env.logLevel = 'error';
  const session = await ort.InferenceSession.create(model, { executionProviders: options.providers, logSeverityLevel: 3 }).catch((error: unknown) => {
    throw new ContextscopeError('corrupt', `ONNX Runtime could not load the model: ${messageOf(error)}${/external|\.data/i.test(messageOf(error)) ? ' Its weights lie in a second file, which a browser cannot follow: export it as one file.' : ''}`);
  });
  const ports: OnnxPorts = { inputs: session.inputMetadata.map(portOf), outputs: session.outputMetadata.map(portOf) };
  return {
    ports,
    engine: (settings) => {
      checkPorts(ports, settings);
      return serialised((ids) => runWindow(ort, session, ports, settings, ids), () => session.release());
    },
    release: () => session.release(),
  };
}

const portOf = (port: Session['inputMetadata'][number]): OnnxPort => (port.isTensor ? { name: port.name, type: port.type, shape: [...port.shape] } : { name: port.name, type: 'not a tensor', shape: null });

function checkPorts({ inputs, outputs }: OnnxPorts, { inputs: named, output }: OnnxSettings): void {
  const fed = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== null);
  for (const [role, name] of fed) {
    const port = inputs.find((input) => input.name === name);
    if (!port) throw bad(`The model has no input “${name}” (for ${role}); its inputs are ${namesOf(inputs)}.`);
    if (port.type !== 'int64' && port.type !== 'int32') throw bad(`Input “${name}” takes ${port.type}; ${role} are whole numbers (int64 or int32).`);
  }
  const unfed = inputs.filter(({ name }) => !fed.some(([, given]) => given === name));
  if (unfed.length > 0) throw bad(`The model also wants ${namesOf(unfed)}, which nothing feeds: say what ${unfed.length === 1 ? 'it is' : 'they are'}, or export a model of token ids and masks alone.`);
  if (!outputs.some(({ name }) => name === output)) throw bad(`The model has no output “${output}”; its outputs are ${namesOf(outputs)}.`);
}

const namesOf = (ports: readonly OnnxPort[]): string => ports.map(({ name }) => `“${name}”`).join(', ');
const bad = (message: string): ContextscopeError => new ContextscopeError('bad-argument', message);

async function runWindow(ort: OrtModule, session: Session, ports: OnnxPorts, settings: OnnxSettings, ids: BigInt64Array): Promise<Float32Array> {
  const length = ids.length;
  const values: Record<keyof OnnxSettings['inputs'], BigInt64Array> = {
    ids, mask: new BigInt64Array(length).fill(1n), types: new BigInt64Array(length), positions: BigInt64Array.from({ length }, (_, i) => BigInt(i)),
  };
  const feeds = Object.fromEntries(Object.entries(settings.inputs).flatMap(([role, name]) => {
    if (name === null) return [];
    const data = values[role as keyof typeof values];
    const tensor = ports.inputs.find((port) => port.name === name)?.type === 'int32' ? new ort.Tensor('int32', Int32Array.from(data, Number), [1, length]) : new ort.Tensor('int64', data, [1, length]);
    return [[name, tensor]];
  }));
  const outputs = await session.run(feeds, [settings.output]).catch((error: unknown) => {
    throw new ContextscopeError('worker', `The model failed on ${length} positions: ${messageOf(error)}`);
  });
  const output = outputs[settings.output];
  const data = output === undefined ? null : await output.getData();
  if (output === undefined || !(data instanceof Float32Array)) throw new ContextscopeError('worker', `Expected float32 numbers from output “${settings.output}”, found ${output?.type ?? 'nothing'}. Export the model with float32 outputs.`);
  return pooled(data, output.dims, settings, length);
}

/** [1, S, d] is pooled; [1, d] and [d] are taken as they are. */
function pooled(data: Float32Array, dims: readonly number[], { pooling, output }: OnnxSettings, positions: number): Float32Array {
  const shape = `[${dims.join(', ')}]`;
  const isVector = dims.length === 1 || (dims.length === 2 && dims[0] === 1);
  if (pooling === 'none') {
    if (!isVector) throw bad(`Output “${output}” has the shape ${shape}: that is a vector a position, so choose a pooling (mean, cls or last).`);
    return data.slice();
  }
  const isHidden = dims.length === 3 && dims[0] === 1 ? dims[1] === positions : dims.length === 2 && dims[0] === positions;
  if (!isHidden) throw bad(`Pooling “${pooling}” needs one vector a position, [1, ${positions}, d]; output “${output}” has the shape ${shape}. ${isVector ? 'It is one vector a text: choose the pooling “none”.' : 'Choose another output.'}`);
  return Float32Array.from(poolPositions(data, positions, pooling));
}
