import type { SessionAction } from "@/features/account/account-action";
import { UnlinkStep } from "@/features/account/unlink-step";

interface IdentityLine {
  readonly id: string;
  readonly provider: string;
  readonly email: string;
  readonly createdAtMs: number;
}

interface IdentityListProps {
  identities: readonly IdentityLine[];
  unlink: SessionAction;
  /** Whether the password was given a moment ago. */
  confirmed: boolean;
}

/** With whom the account signs in besides its password. */
export function IdentityList({ identities, unlink, confirmed }: IdentityListProps) {
  return (
    <ul className="grid gap-3">
      {identities.map(({ id, provider, email, createdAtMs }) => (
        <li key={id} className="grid gap-2 rounded-md border border-line p-3">
          <p>
            <span className="font-medium">{provider}</span>{" "}
            <span className="text-[0.8125rem] break-all text-dim">
              {email}, since {new Date(createdAtMs).toISOString().slice(0, 10)}
            </span>
          </p>
          <UnlinkStep id={id} provider={provider} action={unlink} confirmed={confirmed} />
        </li>
      ))}
    </ul>
  );
}
