import { findErrorGuide } from "@/lib/api/engine/error-guide";

/** What an error code means, and what to do about it. */
export function RefusalGuide({ code }: { code: string }) {
  const guide = findErrorGuide(code);
  if (guide === null) return <p className="text-dim">This version of Spotline does not know the code {code}.</p>;
  return (
    <>
      <p>{guide.meaning}</p>
      <p className="text-dim">{guide.remedy}</p>
    </>
  );
}
