// Which numbers of relaxed rows a thread has: those of one row in one block. Uses prelude.wgsl.

struct Parameters {
  rows: u32,
  blocks: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> blocks: array<u32>;

// Where the numbers start and end. They are `parameters.rows` apart.
struct Part {
  start: u32,
  end: u32,
}

fn partOf(group: u32, lane: u32) -> Part {
  let tiles = (parameters.rows + 63u) / 64u;
  let block = group / tiles;
  let row = group % tiles * 64u + lane;
  if (block >= parameters.blocks || row >= parameters.rows) {
    return Part(0u, 0u);
  }
  return Part(blocks[block] * parameters.rows + row, blocks[block + 1u] * parameters.rows + row);
}

// a − b where a ≤ b; or, where that is far below anything that matters, −104, whose power of e is 0.
fn below(a: f32, b: f32) -> f32 {
  return max(a - b, -104.0);
}
