import { useState } from "react";
import { createRoot } from "react-dom/client";
import { standInOf } from "./stand-in.js";

function App() {
  const [status, setStatus] = useState("Drop a table (CSV) here, and with it its schema (JSON).");
  const [href, setHref] = useState();

  async function take(files) {
    setHref(undefined);
    try {
      const { rows, promise } = await standInOf([...files], ({ phase }) => setStatus(`${phase} …`));
      setHref(URL.createObjectURL(rows));
      setStatus(promise);
    } catch (error) {
      setStatus(error.message);
    }
  }

  function drop(event) {
    event.preventDefault();
    take(event.dataTransfer.files);
  }

  return (
    <main onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <h1>A stand-in for a table</h1>
      <p role="status">{status}</p>
      {href && (
        <a href={href} download="stand-in.csv">
          Save the stand-in
        </a>
      )}
    </main>
  );
}

createRoot(document.getElementById("root")).render(<App />);
