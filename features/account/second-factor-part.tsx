import { encode } from "uqr";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PagePart } from "@/components/ui/page-part";

/** Says whether the account has a second factor, and links to its page. `recoveryCodesLeft` is null without one. */
export function SecondFactorPart({ recoveryCodesLeft }: { recoveryCodesLeft: number | null }) {
  return (
    <PagePart
      titleId="second-factor-title"
      title="Second factor"
      text={
        recoveryCodesLeft === null
          ? "A second factor adds a code from an app on your phone to your password. Signing in with a passkey needs none."
          : `On: you sign in with your password and a code from your app. ${recoveryCodesLeft} recovery codes are unused.`
      }
    >
      <Link href="/account/second-factor" className={`${getButtonClass("secondary")} justify-self-start`}>
        {recoveryCodesLeft === null ? "Set up a second factor" : "Manage the second factor"}
      </Link>
    </PagePart>
  );
}

/** A text as a QR code, drawn on the server: dark on white in both themes, as cameras expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  // ISO/IEC 18004 requires a border of four modules.
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .filter(Boolean)
    .join("");
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="w-full max-w-52 rounded-md border border-line"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
