import { asObject } from '../base/json';
import type { JsonObject } from '../base/json';
import type { Sample } from './format';

/** The records of a sample that are objects. */
export function sampledObjects(sample: Sample): JsonObject[] {
  return sample.records.map(asObject).filter((object) => object !== undefined);
}

/** How much of a sample's objects passes a test, 0 … 1; 0 where there are none. */
export function share(objects: readonly JsonObject[], test: (object: JsonObject) => boolean): number {
  return objects.length === 0 ? 0 : objects.filter(test).length / objects.length;
}

/** Do most values pass a test? A broken element must not hide what all others are. */
export function mostly(values: readonly unknown[], test: (value: unknown) => boolean): boolean {
  return values.length > 0 && values.filter(test).length > values.length * 0.6;
}
