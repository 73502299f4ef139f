import { redirect } from "next/navigation";
import { HOME_PATH } from "@/features/sign-in/next-path";
import { requireAccount } from "@/features/sign-in/session";

export default async function HomePage() {
  await requireAccount(HOME_PATH);
  redirect(HOME_PATH);
}
