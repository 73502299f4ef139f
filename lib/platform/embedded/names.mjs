/** The application names of our own connections to the embedded database. */

export const OWN_NAME = "spotline";
/** Postpones checkpoints while it is connected, because a backup needs the log since its beginning. */
export const BACKUP_NAME = "spotline backup";
