/** The bundled examples: `examples/manifest.json` beside the page. Untrusted shape: a bad entry is left out. */
export interface ExampleLine { kind: string; from: number; to: number; archivedAt?: number; recoveredAt?: number }
export interface Example {
  file: string;
  title: string;
  /** One sentence on what to look at. */
  look: string;
  /** Bars of a small drawing, steps from 1. */
  lifelines: ExampleLine[];
}

export async function loadExamples(get: typeof fetch): Promise<Example[]> {
  const response = await get('examples/manifest.json');
  if (!response.ok || !(response.headers.get('content-type') ?? '').includes('json')) return [];
  const body: unknown = await response.json();
  return parseExamples(body);
}

function parseExamples(body: unknown): Example[] {
  const list: unknown = Array.isArray(body) ? body : isRecord(body) ? body['examples'] : [];
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).flatMap((one) => {
    const { file, title, look } = one;
    if (typeof file !== 'string' || typeof title !== 'string') return [];
    const lifelines = Array.isArray(one['lifelines']) ? one['lifelines'].filter(isRecord).flatMap(lineOf) : [];
    return [{ file, title, look: typeof look === 'string' ? look : '', lifelines }];
  });
}

function lineOf(one: Record<string, unknown>): ExampleLine[] {
  const { kind, from, to, archivedAt, recoveredAt } = one;
  if (typeof kind !== 'string' || typeof from !== 'number' || typeof to !== 'number' || !(to >= from)) return [];
  return [{ kind, from, to, archivedAt: typeof archivedAt === 'number' ? archivedAt : undefined, recoveredAt: typeof recoveredAt === 'number' ? recoveredAt : undefined }];
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
