/** The per-step columns of a replay while they are filled. */
import { STEP_MODES, SWATCHES, type ReplaySteps, type StepMode } from './types';

export function makeSteps(n: number): ReplaySteps {
  return {
    n, contextTokens: new Uint32Array(n), bySwatch: new Uint32Array(n * SWATCHES.length), dashboardTokens: new Uint32Array(n),
    mode: new Uint8Array(n), infeasible: new Uint8Array(n), smallestFeasibleBudget: new Uint32Array(n),
    demandWeight: new Float64Array(n), promptWeight: new Float64Array(n), visibleWeight: new Float64Array(n),
    recoverableWeight: new Float64Array(n), lostWeight: new Float64Array(n), cachedTokens: new Uint32Array(n),
    prefixTokens: new Uint32Array(n), outputTokens: new Uint32Array(n), managementInput: new Float64Array(n), managementOutput: new Float64Array(n),
    obligations: new Uint32Array(n), reads: new Uint32Array(n), faults: new Uint32Array(n), readTokens: new Uint32Array(n), neededTokens: new Uint32Array(n),
    opStart: new Uint32Array(n + 1),
  };
}

export const modeCode = (mode: StepMode): number => STEP_MODES.indexOf(mode);
