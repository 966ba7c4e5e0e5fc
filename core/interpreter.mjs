// Cuts QuickJS's interpreter into pieces. As it is, one C function executes all operations, and a runtime on the JVM
// makes a method of every function: the JVM compiles no method of more than 8,000 bytes of bytecode, and
// interpreting the interpreter is ten times slower. After this, one function executes the operations that are frequent,
// and calls another for each of the rest.

const OPERATIONS_END = "        }\n    }\n exception:\n";
/** Groups of the other operations: enough for each group to become a small method. */
const GROUPS = 9;

/** Operations that make up nine tenths of all that standin's core executes, as counted over test/vectors and Adult. */
const FREQUENT = `
  get_loc_check swap dup add drop set_loc_uninitialized if_false8 get_array_el put_loc_check to_propkey get_arg0 push_1
  get_field2 mul get_var_ref_check put_loc8 get_arg1 if_true8 get_var lt get_field is_undefined_or_null put_array_el
  call_method sub goto8 push_0 post_inc get_loc0 push_2
`;

/** What operations read of the call that executes them. They change `sp` and `pc`, and leave a value in `ret_val`. */
const CALL = [
  ["JSContext *", "caller_ctx"],
  ["JSContext *", "ctx"],
  ["JSRuntime *", "rt"],
  ["JSObject *", "p"],
  ["JSFunctionBytecode *", "b"],
  ["JSStackFrame *", "sf"],
  ["JSValue *", "stack_buf"],
  ["JSValue *", "var_buf"],
  ["JSValue *", "arg_buf"],
  ["JSVarRef **", "var_refs"],
  ["JSValueConst ", "func_obj"],
  ["JSValueConst ", "this_obj"],
  ["JSValueConst ", "new_target"],
  ["int ", "argc"],
  ["JSValueConst *", "argv"],
];

/**
 * @param source the text of quickjs.c
 * @returns the text with its function JS_CallInternal cut
 */
export function cutInterpreter(source) {
  const [before, whole, after] = parted(source, "static JSValue JS_CallInternal(JSContext *caller_ctx", "\n}\n");
  const [start, , rest] = parted(whole, " restart:\n", "    for(;;) {\n");
  const [, loop, end] = parted(rest, "        int call_argc;\n", OPERATIONS_END);
  const operations = loop.slice(0, -OPERATIONS_END.length);
  const groups = groupsOf(operations);
  const call = `    JSCall call;\n`;
  const main = [
    replaced(replaced(start, /#if !DIRECT_DISPATCH\n.*?#endif\n\n/s, ""), "    size_t alloca_size;\n", `$&${call}`),
    " restart:\n    call = (JSCall){",
    CALL.map(([, name]) => `.${name} = ${name}`).join(", "),
    ", .sp = sp, .pc = pc};\n",
    "    opcode = js_frequent(&call);\n    sp = call.sp;\n    pc = call.pc;\n    ret_val = call.ret_val;\n",
    "    if (opcode == LEAVE_DONE) goto done;\n    if (opcode == LEAVE_GENERATOR) goto done_generator;\n",
    " exception:\n",
    end,
  ];
  return [before, pieces(operations, groups), main.join(""), after].join("");
}

/** The functions that execute operations. Each has the text of all; the C compiler drops those of other groups. */
function pieces(operations, groups) {
  const others = Array.from({ length: GROUPS }, (_, index) => index + 1);
  const head = (group) => `static __attribute__((noinline)) int js_group_${group}(JSCall *call, int opcode)`;
  const inGroups = [...groups].filter(([, group]) => group);
  return `
typedef struct JSCall {
${CALL.map(([type, name]) => `    ${type}${name};\n`).join("")}    JSValue *sp;
    uint8_t *pc;
    JSValue ret_val;
} JSCall;
enum { LEAVE_NOT, LEAVE_EXCEPTION, LEAVE_DONE, LEAVE_GENERATOR };
${[...groups].map(([operation, group]) => `#define GROUP_${operation} ${group}\n`).join("")}
static const uint8_t group_of[256] = {${inGroups.map(([operation, group]) => `[${operation}] = ${group}`).join(", ")}};
#define SWITCH(pc) switch (opcode)
#define CASE(op) case op: if (GROUP_##op != group) goto elsewhere; in_##op
#define DEFAULT default
#define BREAK break
${others.map((group) => `${head(group)};\n`).join("")}
static inline __attribute__((always_inline)) int js_operations(JSCall *call, int opcode, const int group) {
${CALL.map(([type, name]) => `    ${type}${name} = call->${name};\n`).join("")}    JSValue *sp = call->sp, ret_val = JS_UNDEFINED;
    uint8_t *pc = call->pc;
    int i, leave = LEAVE_NOT;
    for (;;) {
        if (group == 0) opcode = *pc++;
${operations}        }
        if (group == 0) continue;
        goto leave;
    elsewhere:
        if (group != 0) __builtin_unreachable();
        call->sp = sp;
        call->pc = pc;
        switch (group_of[opcode]) {
${others.map((group) => `        case ${group}: leave = js_group_${group}(call, opcode); break;\n`).join("")}        default: __builtin_unreachable();
        }
        if (leave) return leave;
        sp = call->sp;
        pc = call->pc;
    }
 exception:
    leave = LEAVE_EXCEPTION;
    goto leave;
 done:
    leave = LEAVE_DONE;
    goto leave;
 done_generator:
    leave = LEAVE_GENERATOR;
 leave:
    call->sp = sp;
    call->pc = pc;
    call->ret_val = ret_val;
    return leave;
}
${others.map((group) => `${head(group)} { return js_operations(call, opcode, ${group}); }\n`).join("")}
static __attribute__((noinline)) int js_frequent(JSCall *call) { return js_operations(call, 0, 0); }

`;
}

/** The group of each operation, 0 for the frequent ones. Operations that share their text share their group. */
function groupsOf(operations) {
  const frequent = new Set(FREQUENT.trim().split(/\s+/));
  const blocks = [];
  let end = 0;
  for (const { 0: text, 1: macro, 2: operation, index } of operations.matchAll(/\b(CASE|OP_CMP)\(OP_(\w+)/g)) {
    const between = operations.slice(end, index).replace(/\/\*.*?\*\//gs, "");
    if (macro === "CASE" && /^\):\s*$/.test(between)) blocks.at(-1).names.push(operation);
    else blocks.push({ names: [operation], at: index });
    end = index + text.length;
  }
  for (const [index, block] of blocks.entries()) block.length = (blocks[index + 1]?.at ?? operations.length) - block.at;
  // The last block says what an unknown operation does, whatever its number.
  const isFrequent = ({ names }) => names.includes("invalid") || names.some((name) => frequent.has(name));
  const total = blocks.reduce((sum, block) => sum + (isFrequent(block) ? 0 : block.length), 0);
  const groups = new Map();
  let sum = 0;
  for (const block of blocks) {
    const group = isFrequent(block) ? 0 : 1 + Math.floor((sum * GROUPS) / total);
    if (group) sum += block.length;
    for (const name of block.names) groups.set(`OP_${name}`, group);
  }
  return groups;
}

/** A text in three: up to `first`, from there to the end of the next `last`, and the rest. */
function parted(text, first, last) {
  const from = text.indexOf(first);
  const to = text.indexOf(last, from) + last.length;
  if (from < 0 || to < last.length || text.includes(first, from + 1)) throw new Error(`quickjs.c differs: ${first}`);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}

function replaced(text, pattern, replacement) {
  const made = text.replace(pattern, replacement);
  if (made === text) throw new Error(`quickjs.c differs: ${pattern}`);
  return made;
}
