import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Link } from "@/components/ui/link";
import { definePage } from "@/features/session/page-parts";
import { linkSignIn } from "@/features/sign-in/actions";
import { LinkForm } from "@/features/sign-in/link-form";
import { listProviders } from "@/features/sign-in/providers";
import { linkOffer } from "@/features/sign-in/single-sign-on";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Link your account" };

/** Links a provider to the existing account with the same e-mail address. */
export default definePage("Link your account", async function LinkPage() {
  const offer = await linkOffer.read();
  if (offer === null) redirect("/sign-in");
  const { config } = await getRuntime();
  const provider =
    listProviders(config.providers).find(({ id }) => id === offer.identity.provider)?.name ?? "the provider";
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">Link your account</h1>
      <p className="mt-2 text-dim">
        An account for <span className="break-all text-ink">{offer.email}</span> already exists. Enter its password once
        to link it. Then you can sign in with {provider}.
      </p>
      <LinkForm action={linkSignIn} email={offer.email} />
      <p className="mt-6 text-dim">
        <Link href="/sign-in" className="text-accent-ink underline underline-offset-4">
          Do not link
        </Link>
      </p>
    </>
  );
});
