import type { Part } from '../trace/model';

/**
 * Gives ids to calls and results that record none, so that they pair in order (formats.md §0.3, §19): the n-th call of
 * a trajectory without an id is `call-n`, and so is the n-th result without one. A legacy result that names its
 * function takes the oldest open call of that name.
 */
export class OrderPairing {
  private calls = 0;
  private results = 0;
  private readonly openByName = new Map<string, string[]>();

  constructor(private readonly prefix = 'call') {}

  assign(parts: readonly Part[]): Part[] {
    return parts.map((part) => {
      if (part.type === 'tool_call' && part.id === '') {
        const id = `${this.prefix}-${++this.calls}`;
        const open = this.openByName.get(part.name);
        if (open) open.push(id);
        else this.openByName.set(part.name, [id]);
        return { ...part, id };
      }
      if (part.type === 'tool_result' && part.callId === '') {
        const named = part.toolName === undefined ? undefined : this.openByName.get(part.toolName)?.shift();
        this.results++;
        return { ...part, callId: named ?? `${this.prefix}-${this.results}` };
      }
      return part;
    });
  }
}
