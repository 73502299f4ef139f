import { redirect } from "next/navigation";
import { requireAccount } from "@/app/session";
import { HOME_PATH } from "@/components/auth/next-path";

export default async function HomePage() {
  await requireAccount(HOME_PATH);
  redirect(HOME_PATH);
}
