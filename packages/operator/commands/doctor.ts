import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  checking,
  type Finding,
  type Found,
  fine,
  problem,
  warning
} from '../../../services/doctor/finding.ts'
import { examine } from '../../../services/doctor/index.ts'
import { examineService } from '../../../services/doctor/service.ts'
import { examineProviders } from '../../../services/doctor/upstreams.ts'
import { encodeControlRequest } from '../../../services/messages/control-request.ts'
import type { WalletState } from '../../../services/submission/contract.ts'
import { inspectDatabase } from '../../../services/submission/store/postgres/inspect.ts'
import { sendTest } from '../../../services/webhooks/test-event.ts'
import { httpUrl, readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'

const WEBHOOK_MS = 7000
const MAX_CLOCK_MS = 2000

const MARKS = { fine: '✓', warning: '!', problem: '✗' } as const

export const doctor: Command = {
  arguments: '[--url URL] [--json]',
  summary: 'checks the configuration, the upstreams, the wallet and the store',
  details: `  --url URL  the service as its users reach it: checks the proxy in front, DOMAIN and readiness too
  --json     prints one JSON object per check
Changes nothing, signs no transaction, and takes at most a minute. The webhook receiver gets a webhook.test event, and
compliance and KYC providers get one request each. Exits with code 1 if a check finds a problem.`,
  async run(argv, context) {
    const { values } = readArguments(argv, { url: { type: 'string' } })
    const findings = await examineAll(
      context,
      values.url === undefined ? undefined : httpUrl('--url', values.url)
    )
    for (const finding of findings)
      context.print(...(context.json ? [JSON.stringify(finding)] : linesOf(finding)))
    const count = (level: Finding['level']) => findings.filter(finding => finding.level === level).length
    if (!context.json) context.print(`Problems: ${count('problem')}. Warnings: ${count('warning')}.`)
    return count('problem') > 0 ? 1 : 0
  }
}

const linesOf = ({ about, level, detail, action }: Finding): string[] => [
  `${MARKS[level]} ${about}: ${detail}`,
  ...(action === undefined ? [] : [`    ${action}`])
]

async function examineAll(context: Context, url: URL | undefined): Promise<Finding[]> {
  const { config, secrets, receiver } = context
  let wallet: Awaited<ReturnType<Context['wallet']>> | undefined
  let stored: WalletState | undefined
  const first = await Promise.all([
    checking('wallet', 'Correct the phrase or the signer.', async () => {
      wallet = await context.wallet()
      return fine(wallet.address)
    }),
    examineStore(context, state => {
      stored = state
    })
  ])
  const address = wallet?.address ?? config.SERVICE_SIGNER_ADDRESS
  const isForeign = stored !== undefined && address !== undefined && stored.address !== address
  const owner = isForeign ? [{ about: 'store', ...belongsTo(stored?.address) }] : []
  const control = wallet && { wallet, request: encodeControlRequest(config.SERVICE_BRAND, wallet.address) }
  const webhook =
    receiver &&
    checking('webhook receiver', '', async () => {
      const { isDelivered, detail } = await sendTest({ ...receiver, timeoutMs: WEBHOOK_MS })
      const action = 'Correct SERVICE_WEBHOOK_URL, or what the receiver does with a signed event.'
      return isDelivered ? fine(detail) : problem(detail, action)
    })
  const others = await Promise.all([
    examine({ config, secrets }, { address, chainId: stored?.chainId, control }),
    ...examineProviders({ secrets }),
    ...(webhook ? [webhook] : []),
    ...(url ? [examineService({ config, secrets }, url)] : [])
  ])
  return [...first, owner, ...others].flat()
}

const belongsTo = (address: string | undefined) =>
  problem(
    `belongs to the wallet ${address}`,
    'Correct the phrase or the signer, or set another SERVICE_DATA_DIR: docs/procedures.md, "Another wallet".'
  )

/** @param onState called with the store's wallet and chain */
async function examineStore(context: Context, onState: (state: WalletState) => void): Promise<Finding[]> {
  const { config, secrets } = context
  const action = secrets.database
    ? 'Check DATABASE_URL, and whether the database runs.'
    : 'Check SERVICE_DATA_DIR, its owner and its disk.'
  return checking('store', action, async () => {
    let found: Awaited<ReturnType<typeof examineDatabase>> | undefined
    try {
      found = secrets.database
        ? await examineDatabase(secrets.database)
        : examineFolder(config.SERVICE_DATA_DIR)
      if (!found.hasStore) return found.findings
      const state = await (await context.read()).walletState()
      if (state) onState(state)
      const detail = state
        ? `chain ${state.chainId}, read up to block ${state.cursorHeight}`
        : 'no block read yet'
      return [fine(detail), ...found.findings]
    } catch (error) {
      // Another wallet's database has no data for this one.
      const [older] = /has schema .* which upgrades it$/.exec(String(error)) ?? []
      if (older) return [warning(older, 'Back it up first: docs/upgrade.md.')]
      if (!found || !/has no data for the wallet/.test(String(error))) throw error
      return [fine('new for this wallet'), ...found.findings]
    }
  })
}

async function examineDatabase(address: Parameters<typeof inspectDatabase>[0]) {
  const { hasStore, missingRights, tablesBehind, hasFsync, clockAheadMs } = await inspectDatabase(address)
  const findings: Found[] = []
  if (missingRights.length > 0)
    findings.push(problem(`the user has no right to: ${missingRights.join(', ')}`, 'Grant these rights.'))
  if (tablesBehind.length > 0) {
    const detail = `identity sequences are behind, as after a copy: ${tablesBehind.join(', ')}`
    findings.push(warning(detail, 'A server corrects them when it starts.'))
  }
  if (!hasFsync) findings.push(warning('fsync is off', 'Turn it on: a power failure can lose submissions.'))
  if (Math.abs(clockAheadMs) > MAX_CLOCK_MS) {
    const detail = `the database's clock differs by ${Math.round(Math.abs(clockAheadMs) / 1000)} s`
    findings.push({ ...warning(detail, 'Set the clocks, with NTP.'), about: 'clock' })
  }
  if (!hasStore) findings.push(fine('empty: the first server creates the tables'))
  return { hasStore: hasStore && missingRights.length === 0, findings }
}

function examineFolder(folder: string) {
  let existing = resolve(folder)
  if (existsSync(join(existing, 'submissions.db'))) return { hasStore: true, findings: [] }
  while (!existsSync(existing)) existing = dirname(existing)
  if (!statSync(existing).isDirectory()) throw new Error(`SERVICE_DATA_DIR: ${existing} is not a folder`)
  accessSync(existing, constants.W_OK)
  return { hasStore: false, findings: [fine('empty: the first start creates it')] }
}
