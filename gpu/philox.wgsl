// Philox 4x32-10 (Salmon et al., SC 2011), as in assembly/philox.ts.

// The upper half of a product.
fn multiplyHigh(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
  let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
}

fn philoxBlock(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
  var c = counter;
  var k = key;
  for (var round = 0u; round < 10u; round++) {
    c = vec4(
      multiplyHigh(c.z, 0xcd9e8d57u) ^ c.y ^ k.x,
      c.z * 0xcd9e8d57u,
      multiplyHigh(c.x, 0xd2511f53u) ^ c.w ^ k.y,
      c.x * 0xd2511f53u,
    );
    k += vec2(0x9e3779b9u, 0xbb67ae85u);
  }
  return c;
}

// A word of a stream, by its index, which is below 2^32.
fn philoxWord(seed: u32, purpose: u32, id: u32, index: u32) -> u32 {
  return philoxBlock(vec4(index / 4u, 0u, purpose, id), vec2(seed, 0u))[index % 4u];
}
