/**
 * A backup of the embedded database: a gzipped tar archive of the manifest, two files of the data folder and the
 * database's files. It is made of files that change meanwhile, so it also has the write-ahead log, from which the first
 * start restores one state.
 */

import { AUDIT_HASHES_FILE } from "../data-folder/data-folder";
import { SECRET_FILE } from "../data-folder/secret-file";

/** The archive's first entry. */
export const MANIFEST = "spotline-backup.json";
/** The folder of the database's files, in the archive and in a data folder. */
export const DATABASE_FOLDER = "postgres";
/**
 * Files of a data folder beside the database, which are restored with it if the archive has them: the secret of the
 * hashes of the audit log, and the copies of these hashes.
 */
export const OTHER_FILES = [SECRET_FILE, AUDIT_HASHES_FILE];
export const BACKUP_VERSION = 1;

export interface Manifest {
  /** Of the archive's layout. */
  readonly version: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A backup that cannot be made or restored. The message is one sentence for the operator. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
  readonly code = "BACKUP_REFUSED";
}
