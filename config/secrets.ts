import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import {
  DATABASE_URL_FORM,
  type DatabaseAddress,
  readDatabaseUrl
} from '../services/submission/store/postgres/database-url.ts'
import {
  isPublicPhrase,
  MNEMONIC_FORM,
  mnemonicProblem,
  normaliseMnemonic
} from '../services/wallet/mnemonic.ts'
import { problem, unreadable } from './problems.ts'
import type { Read } from './read.ts'

/** Permission of everybody to write. Groups are the operator's: orchestrators mount files for them. */
const OTHERS_WRITE = 0o002

/** In bytes. A larger file is something else: a disk image or a log. */
export const LARGEST = 64 * 1024

/**
 * Reads a mounted secret, which is a regular file or a link to one (interface 1.18). Blanks around its text, such as a
 * line feed at the end, are dropped.
 * @param variable the one that names the file
 * @param what what the file holds
 * @returns the text, or the line about a file that cannot be used
 */
export function readSecretFile(
  variable: string,
  path: string,
  what: string
): { text: string } | { problem: string } {
  const refuse = (wrong: string, expected = `a readable file with ${what}`) => ({
    problem: problem(variable, wrong, expected)
  })
  let file: number | undefined
  try {
    // Without O_NONBLOCK, opening a named pipe waits for somebody who writes to it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = fstatSync(file)
    if (!stats.isFile()) return refuse('names no regular file')
    if ((stats.mode & OTHERS_WRITE) !== 0)
      return refuse('names a file that everybody can write', 'a file that only its owner can')
    if (stats.size > LARGEST) return refuse(`names a file of more than ${LARGEST} bytes`)
    const bytes = readFileSync(file)
    const text = bytes.toString('utf8').trim()
    // Freed memory becomes that of other buffers.
    bytes.fill(0)
    return text === '' ? refuse('is empty') : { text }
  } catch (error) {
    return refuse(`names a file that ${unreadable(error)}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The lines about a mnemonic that is set (interface 1.7, 1.22). */
export function mnemonicProblems({ values, nameOf }: Read): string[] {
  const text = values['SERVICE_BACKEND_MNEMONIC']
  if (typeof text !== 'string') return []
  const mnemonic = normaliseMnemonic(text)
  const isPublic = values['SERVICE_ENVIRONMENT'] === 'mainnet' && isPublicPhrase(mnemonic)
  const wrong = isPublic
    ? 'is a public phrase while SERVICE_ENVIRONMENT is mainnet'
    : mnemonicProblem(mnemonic)
  return wrong === undefined ? [] : [problem(nameOf('SERVICE_BACKEND_MNEMONIC'), wrong, MNEMONIC_FORM)]
}

/** Reads where the database is, if the service has one (interface 1.15). */
export function readDatabase({ values, nameOf }: Read): { address?: DatabaseAddress; problems: string[] } {
  const url = values['DATABASE_URL']
  if (typeof url !== 'string') return { problems: [] }
  const variable = nameOf('DATABASE_URL')
  try {
    const address = readDatabaseUrl(url)
    return address
      ? { address, problems: [] }
      : { problems: [problem(variable, 'is malformed', DATABASE_URL_FORM)] }
  } catch (error) {
    const expected = 'the path of a readable file with certificates'
    return { problems: [problem(variable, `names an sslrootcert that ${unreadable(error)}`, expected)] }
  }
}
