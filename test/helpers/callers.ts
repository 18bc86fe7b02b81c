import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CallerEntry, createKey, hashOf, scopes } from '../../services/callers/key-file.ts'
import { temporaryFolder } from './app.ts'
import type { Test } from './tap.ts'

/** Creates a key file. `add` adds a caller and returns its request headers; a server reads the file at its start. */
export function keyFile(t: Test) {
  const path = join(temporaryFolder(t), 'keys.json')
  const callers: CallerEntry[] = []
  return {
    path,
    variables: { SERVICE_API_KEYS_FILE: path },
    add(name: string, entry: Omit<CallerEntry, 'name' | 'keys'>, expiresAt?: string) {
      const key = createKey()
      callers.push({ name, ...entry, keys: [{ hash: hashOf(key), ...(expiresAt && { expiresAt }) }] })
      writeFileSync(path, JSON.stringify({ callers }))
      return { authorization: `Bearer ${key}` }
    }
  }
}

/** Creates a caller with every scope. @returns the variables for its server and its request headers */
export function caller(t: Test) {
  const { variables, add } = keyFile(t)
  return { variables, headers: add('shop', { scopes: [...scopes] }) }
}
