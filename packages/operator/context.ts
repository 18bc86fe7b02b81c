import type { Config, Secrets } from '../../config/index.ts'
import { brandNames } from '../../schemas/brand.ts'
import { type ChainClient, createChainClient } from '../../services/chain-client/index.ts'
import { terminalLines } from '../../services/errors/shown.ts'
import { createStatusService, type StatusService } from '../../services/status/index.ts'
import type { WalletState } from '../../services/submission/contract.ts'
import {
  createOperatorAccess,
  type OperatorQueries,
  type OwnedStore
} from '../../services/submission/store/operator.ts'
import { openPostgresForOperator } from '../../services/submission/store/postgres/index.ts'
import { backUp } from '../../services/submission/store/sqlite/database.ts'
import { openSqliteForOperator } from '../../services/submission/store/sqlite/index.ts'
import { createChainApi } from '../../services/upstream/chain-api.ts'
import { openSigner } from '../../services/wallet/open.ts'
import type { Signer } from '../../services/wallet/signer.ts'
import { OperatorError } from './errors.ts'

const RPC_TIMEOUT_MS = 30_000

const quiet = () => {}
export const quietLog = { debug: quiet, info: quiet, warn: quiet, error: quiet }

export type Context = ReturnType<typeof createContext>

/** Creates the resources available to a command, which are closed when the command ends. */
export function createContext(
  { config, secrets }: { config: Config; secrets: Secrets },
  { out, err, width }: Record<'out' | 'err', (text: string) => void> & { width?: number | undefined },
  json = false
) {
  const opened: { close(): void | Promise<void> }[] = []
  const problems = new Set<string>()
  const wallet = () => openSigner(config, secrets.mnemonic)
  const { webhooks: receiver } = secrets
  const owner = async () => config.SERVICE_SIGNER_ADDRESS ?? (await wallet()).address
  const access = createOperatorAccess(
    secrets.database
      ? openPostgresForOperator(secrets.database, owner)
      : openSqliteForOperator(config.SERVICE_DATA_DIR, reason => err(terminalLines(reason))),
    receiver && {}
  )

  function keep<T extends { close(): void | Promise<void> }>(resource: T): T {
    opened.push(resource)
    return resource
  }

  const print = (...lines: string[]) => out(terminalLines(...lines))

  return {
    config,
    secrets,
    /** Whether results are printed as JSON. */
    json,
    /** The width of the terminal in columns; undefined without one. */
    width,
    print,
    /** Prints a command's result: lines for people, or with `--json` the value. */
    report: (value: object, ...lines: string[]): void => print(...(json ? [JSON.stringify(value)] : lines)),
    /** The problems of the damaged rows that were read. If there are any, the command fails. */
    problems,
    onDamage: ({ message }: Error): void => void problems.add(message),
    /** Opens the store for reading, even while servers are running. @throws as `OperatorAccess.read` */
    read: async (): Promise<OperatorQueries> => keep(await access.read()).queries,
    /** Opens the store for exclusive use by this process. @throws as `OperatorAccess.own` */
    own: async (): Promise<OwnedStore> => keep(await access.own()),
    redeliver: access.redeliver,
    cancel: access.cancel,
    /** Copies the embedded store. @returns its size in bytes @throws OperatorError, DataDirectoryError */
    backUp(file: string): number {
      if (secrets.database) throw new OperatorError('the store is in a database: back it up with pg_dump')
      return backUp(config.SERVICE_DATA_DIR, file)
    },
    /** Reads the records of transfers. */
    status(): Pick<StatusService, 'poll'> {
      const { SERVICE_BRAND: brand } = config
      const modulePath = brandNames(brand).apiPath
      const chainApi = keep(createChainApi({ baseUrl: secrets.upstreams.chainApi, modulePath }))
      const indexUrl = secrets.upstreams.index
      return keep(createStatusService({ brand, chainApi, indexUrl, log: quietLog }))
    },
    /** Connects to `node`, or to the configured nodes. */
    chain(node?: string): ChainClient {
      const nodes = node === undefined ? secrets.upstreams.nodes : [node]
      return keep(createChainClient({ nodes, timeoutMs: RPC_TIMEOUT_MS }))
    },
    /** Opens the wallet of the configured signer. @throws ConfigError */
    wallet,
    receiver,
    async close(): Promise<void> {
      for (const resource of opened.toReversed()) await resource.close()
    }
  }
}

/** @throws OperatorError if the configured wallet is not the one of the store; ConfigError */
export async function walletOf(context: Context, { address }: WalletState): Promise<Signer> {
  const wallet = await context.wallet()
  if (wallet.address === address) return wallet
  throw new OperatorError(`the store belongs to the wallet ${address}, not to ${wallet.address}`)
}

/**
 * Returns the wallet's state from the store.
 * @throws OperatorError if no server has ever found the wallet's account on the chain
 */
export async function walletStateOf(queries: Pick<OperatorQueries, 'walletState'>): Promise<WalletState> {
  const state = await queries.walletState()
  if (state) return state
  throw new OperatorError('the store has no wallet yet: the server has not found its account on the chain')
}
