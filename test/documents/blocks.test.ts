import { spawnSync } from 'node:child_process'
import { parseEnv } from 'node:util'
import { loadConfig } from '../../config/index.ts'
import { DEVELOPMENT_WALLET } from '../../packages/devnet/wallets.ts'
import { ConfigError } from '../../services/config-error.ts'
import { test } from '../helpers/tap.ts'
import { type Block, blocksOf, documents } from './blocks.ts'

const blocks = documents().flatMap(path => blocksOf(path))

/** Values for the required variables, because the documents may omit them. */
const required = {
  NODE_ENV: 'development',
  DOMAIN: 'https://shop.example',
  SERVICE_ENVIRONMENT: 'testnet',
  SERVICE_BACKEND_MNEMONIC: DEVELOPMENT_WALLET,
  SERVICE_BACKEND_NODE_PROVIDER: 'http://127.0.0.1:26657',
  SERVICE_BACKEND_NODE_PROVIDER_QUERY: 'http://127.0.0.1:26658'
}

const programs = ['python quote.py', 'ts fetched.ts', 'ts typed.ts', 'go quote.go', 'java GetQuote.java']

/** Checks by kind of block. Each returns the problems of a block without running the block. */
const checks: Record<string, (block: Block) => readonly string[]> = {
  text: () => [],
  // test/operator/procedures.test.ts runs the SQL in docs/procedures.md.
  sql: ({ path }) => (path === 'docs/procedures.md' ? [] : ['no test runs this SQL']),
  sh: block => [
    ...shellProblems(block),
    ...(/(^|[|(])\s*curl /m.test(block.text) ? ['has curl: mark it "sh run"'] : [])
  ],
  'sh run': shellProblems,
  // test/documents/long compiles both kinds and runs the `ts run` blocks.
  ts: () => [],
  'ts run': () => [],
  json: jsonProblems,
  'json answer': jsonProblems,
  env: settingProblems,
  'env run': settingProblems,
  mermaid: () => [],
  ...Object.fromEntries(['sh client', ...programs].map(kind => [kind, testedClient]))
}

/** test/openapi/long creates the clients of this page, and runs the programs. */
function testedClient({ path }: Block): string[] {
  return path === 'docs/generated-clients.md' ? [] : ['no test runs this program']
}

function shellProblems({ text }: Block): string[] {
  const { stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
  const problems = stderr === '' ? [] : [stderr]
  // --json needs curl 7.82; Ubuntu 22.04 has an older version.
  return /curl .*--json\b/.test(text) ? [...problems, 'has --json: write -H and -d'] : problems
}

function jsonProblems({ text }: Block): string[] {
  try {
    JSON.parse(text)
    return []
  } catch (error) {
    return [String(error)]
  }
}

function settingProblems({ text }: Block): readonly string[] {
  try {
    const { warnings } = loadConfig({ ...required, ...parseEnv(text) })
    return warnings.flatMap(([message, variables]) => (/^unknown/.test(message) ? variables : []))
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)]
  }
}

test('every code block has a known kind and is well-formed', async t => {
  const problems = blocks.flatMap(block => {
    const check = checks[block.kind]
    const found = check === undefined ? [`unknown kind "${block.kind}"`] : check(block)
    return found.map(problem => `${block.at}: ${problem}`)
  })
  t.same(problems, [])
})
