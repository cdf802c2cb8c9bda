/** Volume discounts: the share of the price that is taken off, by units in the month. */
export const STEPS = [
  { atLeast: 10_000, share: 0.175 },
  { atLeast: 2_500, share: 0.0825 },
  { atLeast: 500, share: 0.035 },
  { atLeast: 0, share: 0 },
];

export function discountShare(units) {
  return STEPS.find((step) => units >= step.atLeast).share;
}

/** Price after discount, in cents, NOT yet rounded: the caller rounds once, at the end. */
export function discounted(cents, units) {
  return cents * (1 - discountShare(units));
}
