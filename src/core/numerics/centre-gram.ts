/** H G H with H = I − 1/n: the Gram matrix of the rows less their mean. n × n in, a new n × n out. */
export function centreGram(gram: Float64Array, n: number): Float64Array {
  const rowMean = new Float64Array(n);
  let total = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += gram[i * n + j]!;
    rowMean[i] = sum / n;
    total += sum;
  }
  const mean = n > 0 ? total / (n * n) : 0;
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const shift = mean - rowMean[i]!;
    for (let j = 0; j < n; j++) out[i * n + j] = gram[i * n + j]! - rowMean[j]! + shift;
  }
  return out;
}
