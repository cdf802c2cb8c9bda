/** A surface that writes down what is drawn, as text: tests compare drawings without a browser. */
import type { Surface } from './surface';

const round = (value: unknown): string => (typeof value === 'number' ? String(Number(value.toFixed(2))) : String(value));

/** Text is six pixels a character, so that layouts are the same everywhere. */
export const RECORDED_CHAR_PX = 6;

export interface Recording { surface: Surface; calls: string[] }

export function recordSurface(): Recording {
  const calls: string[] = [];
  const call = (name: string) => (...args: unknown[]): void => {
    calls.push(`${name}(${args.map((arg) => (Array.isArray(arg) ? `[${arg.map(round).join(' ')}]` : round(arg))).join(', ')})`);
  };
  const values: Record<string, string | number> = { fillStyle: 'none', strokeStyle: 'none', lineWidth: 1, globalAlpha: 1, font: '', textAlign: 'left', textBaseline: 'alphabetic' };
  const methods = {
    save: call('save'), restore: call('restore'), beginPath: call('beginPath'), closePath: call('closePath'), moveTo: call('moveTo'), lineTo: call('lineTo'), quadraticCurveTo: call('quadraticCurveTo'), rect: call('rect'),
    arc: call('arc'), fill: call('fill'), stroke: call('stroke'), clip: call('clip'), fillRect: call('fillRect'), strokeRect: call('strokeRect'), clearRect: call('clearRect'),
    fillText: call('fillText'), setLineDash: call('setLineDash'), setTransform: call('setTransform'),
    measureText: (text: string) => ({ width: text.length * RECORDED_CHAR_PX }),
  };
  const target: object = methods;
  const surface = new Proxy(target, {
    get: (object, key) => (typeof key === 'string' && key in values ? values[key] : Reflect.get(object, key)),
    set: (_object, key, value: string | number) => {
      if (typeof key !== 'string' || !(key in values)) return false;
      if (values[key] !== value) calls.push(`${key} = ${round(value)}`);
      values[key] = value;
      return true;
    },
  });
  return { surface: surface as Surface, calls };
}
