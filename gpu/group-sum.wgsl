// Sums over the threads of a workgroup, always in the same order.

var<workgroup> partial: array<f32, 256>;

// The sum of the values of the threads whose numbers leave the same remainder, for each thread. Both counts are powers
// of 2. All threads must call it.
fn groupSum(value: f32, lane: u32, lanes: u32, remainders: u32) -> f32 {
  partial[lane] = value;
  workgroupBarrier();
  for (var half = lanes / 2u; half >= remainders; half /= 2u) {
    if (lane < half) {
      partial[lane] += partial[lane + half];
    }
    workgroupBarrier();
  }
  let sum = partial[lane % remainders];
  workgroupBarrier();
  return sum;
}
