import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modeFor, roundCents } from '../src/rounding.js';

test('half-even keeps the even neighbour', () => {
  assert.equal(roundCents(2.5, 'half-even'), 2);
  assert.equal(roundCents(3.5, 'half-even'), 4);
});

test('every region has a mode', () => {
  for (const region of ['EU', 'UK', 'US', 'CA', 'JP']) assert.ok(modeFor(region));
});
