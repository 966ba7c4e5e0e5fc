// What all kernels can use. Constants of assembly/layout.ts come before it.

// The number of a workgroup, in dispatches of more than 65,535 of them.
fn groupIndex(group: vec3<u32>, groups: vec3<u32>) -> u32 {
  return group.x + group.y * groups.x;
}
