import type { FeedRow } from "@/features/feeds/types";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";

interface PauseFormProps {
  feed: Pick<FeedRow, "name" | "condition">;
  pause: FormAction;
  resume: FormAction;
}

/** The button that pauses a source, or resumes it. */
export function PauseForm({ feed: { name, condition }, pause, resume }: PauseFormProps) {
  const isPaused = condition === "paused" || condition === "pausing";
  return (
    <ActionForm
      key={isPaused ? "resume" : "pause"}
      id={name}
      action={isPaused ? resume : pause}
      size="sm"
      submit={
        <>
          {isPaused ? "Resume" : "Pause"}
          <span className="sr-only"> {name}</span>
        </>
      }
    />
  );
}
