import { problem } from './problems.ts'
import type { Environment } from './read.ts'
import type { Values } from './rules.ts'
import { readSecretFile } from './secret-file.ts'

/**
 * The secrets (interface 1.6), each with what it is. Each can be in the file that the variable of its name and `_FILE`
 * names (interface 1.18).
 */
const secrets = {
  SERVICE_BACKEND_MNEMONIC: 'a BIP-39 phrase',
  SERVICE_BACKEND_NODE_PROVIDER: 'the URLs of RPC nodes',
  SERVICE_BACKEND_NODE_PROVIDER_QUERY: "the URL of the chain's REST API",
  SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: 'the URL of the GraphQL index',
  SERVICE_BACKEND_FEE_URL: 'the URL of the fee service',
  SERVICE_CHAIN_RPC: 'a JSON object with URLs of RPCs',
  COMPLIANCE_URL: 'the URL of the compliance provider',
  KYC_URL: 'the URL of the KYC provider',
  KYC_API_KEY: 'the key',
  DATABASE_URL: 'the URL of a database',
  SERVICE_WEBHOOK_URL: 'the URL that receives webhooks',
  SERVICE_WEBHOOK_SECRET: 'the secret of webhooks'
} satisfies { [Name in keyof Values]?: string }

export const secretNames = Object.keys(secrets)

export const fileVariable = (name: string) => `${name}_FILE`

/** What the files of secrets hold. */
export interface SecretTexts {
  /** By the name of the secret. */
  readonly texts: Environment
  /** By the name of the secret: the line about a file that cannot be used. */
  readonly problems: ReadonlyMap<string, string>
}

/** @param given the variables that are set, with trimmed texts */
export function readSecretFiles(given: Environment): SecretTexts {
  const texts: Environment = {}
  const problems = new Map<string, string>()
  for (const [name, what] of Object.entries(secrets)) {
    const path = given[fileVariable(name)]
    if (path === undefined) continue
    if (given[name] !== undefined) {
      problems.set(name, problem(name, `and ${fileVariable(name)} are both set`, 'one of the two'))
      continue
    }
    const file = readSecretFile(fileVariable(name), path, what)
    if ('problem' in file) problems.set(name, file.problem)
    else texts[name] = file.text
  }
  return { texts, problems }
}

/** What the process does not have in its environment, its child processes and its threads do not get (interface 1.8). */
export function removeSecrets(env: Environment): void {
  for (const name of secretNames) delete env[name]
}
