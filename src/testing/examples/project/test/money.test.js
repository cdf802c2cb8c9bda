import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount, parseAmount, sum } from '../src/money.js';

test('parses and formats amounts', () => {
  assert.equal(parseAmount('12.5'), 1250);
  assert.equal(parseAmount('-0.07'), -7);
  assert.equal(formatAmount(-7), '-0.07');
});

test('refuses fractional cents', () => {
  assert.throws(() => sum([1, 0.5]), /fractional cents/);
});
