import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKey, formatKeyFile, hashOf, scopes } from '../../services/callers/key-file.ts'
import { temporaryFolder } from './app.ts'
import type { Test } from './tap.ts'

/** Creates a caller with every scope. @returns the variables for its server and its request headers */
export function caller(t: Test) {
  const path = join(temporaryFolder(t), 'keys.json')
  const key = createKey()
  const keys = [{ hash: hashOf(key), createdAt: new Date().toISOString() }]
  writeFileSync(path, formatKeyFile([{ name: 'shop', scopes: [...scopes], keys }]))
  return {
    variables: { SERVICE_API_KEYS_FILE: path },
    headers: { authorization: `Bearer ${key}` }
  }
}
