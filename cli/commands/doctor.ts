import { type Command, formatTable } from "@/cli/command";

/** Checks the installation and reports faults. It makes no change that a start would not make. */
export const doctor: Command = {
  name: "doctor",
  summary: "Check this installation and list what is wrong",
  options: {},
  async run() {
    const { examine } = await import("@/cli/doctor");
    const findings = await examine(process.env);
    const wrong = findings.filter(({ state }) => state === "wrong").length;
    const verdict = wrong === 0 ? "Nothing is wrong." : `${wrong} of ${findings.length} checks found something wrong.`;
    const rows = findings.map(({ check, state, detail }) => [state.toUpperCase(), check, detail]);
    return { json: { ok: wrong === 0, findings }, text: `${formatTable(rows)}\n\n${verdict}`, failed: wrong > 0 };
  },
};
