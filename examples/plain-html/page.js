import { csvStream, parseSchema, plan, readCsv, synthesize } from "standin";

const input = document.querySelector("input");
const status = document.querySelector("[role=status]");
const result = document.querySelector(".result");

input.addEventListener("change", async () => {
  const named = (ending) => [...input.files].find(({ name }) => name.endsWith(ending));
  if (!named(".csv") || !named(".json")) return;
  result.replaceChildren();
  try {
    const schema = parseSchema(await named(".json").text());
    const table = await readCsv(named(".csv"), schema);
    const onProgress = ({ phase }) => {
      status.textContent = `${phase} …`;
    };
    const release = await synthesize(table, plan(schema, { epsilon: 1 }), { onProgress });
    const rows = await new Response(csvStream(release.table)).blob();
    result.append(linkTo(rows));
    const { epsilon, unit } = release.facts.guarantee;
    status.textContent = `${release.table.length} rows, none copied: ε = ${epsilon} for one ${unit === "row" ? "row" : "person"}.`;
  } catch (error) {
    status.textContent = error.message;
  }
});

function linkTo(rows) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(rows);
  link.download = "stand-in.csv";
  link.textContent = "Save the stand-in";
  return link;
}
