import { redirect } from "next/navigation";
import { requireAccount } from "@/features/session/session";
import { HOME_PATH } from "@/features/sign-in/next-path";

export default async function HomePage() {
  await requireAccount(HOME_PATH);
  redirect(HOME_PATH);
}
