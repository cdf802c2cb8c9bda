/** Parameter values of a request: defaults, scaling of published thresholds, and refusal of what does not fit the schema. */
import { ContextscopeError } from '../base/errors';
import type { Parameter, ParameterValue, PolicyInfo } from './types';

/** Default at a budget: a published absolute token threshold scales with B ÷ the window it was published with. */
export function defaultAt(parameter: Parameter, budget: number): ParameterValue {
  if (parameter.publishedWindow === undefined || typeof parameter.default !== 'number') return parameter.default;
  return Math.max(parameter.min ?? 0, Math.round((parameter.default * budget) / parameter.publishedWindow));
}

/** Every parameter of the policy with its value. Unknown keys and wrong values throw `bad-argument` with what is allowed. */
export function resolveParameters(policy: PolicyInfo, given: Readonly<Record<string, ParameterValue>>, budget: number): Record<string, ParameterValue> {
  for (const key of Object.keys(given)) {
    if (!policy.parameters.some((parameter) => parameter.key === key)) {
      const known = policy.parameters.map((parameter) => parameter.key).join(', ') || 'none';
      throw new ContextscopeError('bad-argument', `Policy ${policy.id} has no parameter "${key}". It has: ${known}.`);
    }
  }
  const values: Record<string, ParameterValue> = {};
  for (const parameter of policy.parameters) {
    const value = Object.hasOwn(given, parameter.key) ? given[parameter.key] : undefined;
    values[parameter.key] = value === undefined ? defaultAt(parameter, budget) : checkValue(policy.id, parameter, value);
  }
  return values;
}

/** Text from a URL or a command line as a value of the parameter's type. */
export function parseParameter(policy: string, parameter: Parameter, text: string): ParameterValue {
  if (parameter.type === 'boolean') {
    if (/^(true|1|yes|on)$/i.test(text)) return true;
    if (/^(false|0|no|off)$/i.test(text)) return false;
    throw refusal(policy, parameter, text, 'true or false');
  }
  if (parameter.type === 'number' || parameter.type === 'integer') return checkValue(policy, parameter, text.trim() === '' ? NaN : Number(text));
  return checkValue(policy, parameter, text);
}

function checkValue(policy: string, parameter: Parameter, value: ParameterValue): ParameterValue {
  switch (parameter.type) {
    case 'boolean':
      if (typeof value !== 'boolean') throw refusal(policy, parameter, value, 'true or false');
      return value;
    case 'text':
      return String(value);
    case 'choice':
      if (!parameter.choices?.includes(String(value))) throw refusal(policy, parameter, value, `one of ${parameter.choices?.join(', ') ?? ''}`);
      return String(value);
    case 'number':
    case 'integer': {
      const range = `${parameter.type === 'integer' ? 'a whole number' : 'a number'}${parameter.min === undefined ? '' : ` ≥ ${parameter.min}`}${parameter.max === undefined ? '' : ` ≤ ${parameter.max}`}`;
      const fits = typeof value === 'number' && Number.isFinite(value) && value >= (parameter.min ?? -Infinity) && value <= (parameter.max ?? Infinity)
        && (parameter.type === 'number' || Number.isInteger(value));
      if (!fits) throw refusal(policy, parameter, value, range);
      return value;
    }
  }
}

function refusal(policy: string, parameter: Parameter, value: ParameterValue, expected: string): ContextscopeError {
  return new ContextscopeError('bad-argument', `Parameter ${policy}.${parameter.key} must be ${expected}; got "${String(value)}".`);
}
