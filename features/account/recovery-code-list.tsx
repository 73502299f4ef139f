import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";

/** New recovery codes. They are shown only once. */
export function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  return (
    <div role="status" className="grid gap-3 rounded-md border border-accent-ink p-4">
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-medium">Store these recovery codes now</h3>
        <CopyButton text={codes.join("\n")} label="Recovery codes" selectId="recovery-codes" />
      </div>
      <p className="text-xs13 text-dim">
        Each code signs you in once if you do not have your device. Do not store them with your password.
      </p>
      <ol id="recovery-codes" className="numerals grid gap-x-6 gap-y-1.5 text-xs13 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Notice tone="note">These codes are shown only once. Spotline stores only their hashes.</Notice>
    </div>
  );
}
