// Blocks of the bare generator. Uses philox.wgsl.
struct Parameters { count: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> counters: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> keys: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> blocks: array<vec4<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let at = id.x;
  if (at < parameters.count) {
    blocks[at] = philoxBlock(counters[at], keys[at]);
  }
}
