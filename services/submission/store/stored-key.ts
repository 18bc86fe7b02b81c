import { identityKey } from '../identities.ts'
import type { Identity } from '../types.ts'
import { storedText } from './sql.ts'

/** The key of an identity as databases store it: PostgreSQL has no character NUL, and JSON has it escaped. */
export const keyOfIdentity = (identity: Identity): string => storedText(identityKey(identity))
