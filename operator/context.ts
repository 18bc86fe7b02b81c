import type { Config, Secrets } from '../config/index.ts'
import { type ChainClient, createChainClient } from '../services/chain-client/index.ts'
import type { EngineStore } from '../services/submission/store/engine-store.ts'
import {
  assertHoldsDatabase,
  DataDirectoryError,
  type OpenDatabase,
  openDatabase,
  openForReading
} from '../services/submission/store/sqlite/database.ts'
import { createEngineStore } from '../services/submission/store/sqlite/engine-store.ts'
import {
  createOperatorQueries,
  type OperatorQueries
} from '../services/submission/store/sqlite/operator-queries.ts'
import {
  createOperatorWrites,
  type OperatorWrites
} from '../services/submission/store/sqlite/operator-writes.ts'
import type { SignerState } from '../services/submission/store/types.ts'
import { type ChainApi, createChainApi } from '../services/upstream/chain-api.ts'
import { createSigner, type Signer } from '../services/wallet/signer.ts'
import { OperatorError } from './errors.ts'

/** How long one RPC call may take. */
const RPC_TIMEOUT_MS = 30_000

/** The store with everything that an operator may change in it. */
export interface OwnedStore {
  store: EngineStore
  queries: OperatorQueries
  writes: OperatorWrites
}

/** What a command works with. Everything that is opened here is closed when the command ends. */
export interface Context {
  readonly config: Config
  /** Writes lines to stdout. */
  print(...lines: string[]): void
  /** The store as it is, also beside a running server. @throws DataDirectoryError; OperatorError for a database */
  read(): OperatorQueries
  /** The store for this process alone. @throws OperatorError while the server runs */
  own(): OwnedStore
  /** The configured nodes, or another one. */
  chain(node?: string): ChainClient
  /** The chain's REST API. */
  chainApi(): ChainApi
  /** The wallet of the configured mnemonic. */
  wallet(): Promise<Signer>
  close(): Promise<void>
}

export function createContext(
  { config, secrets }: { config: Config; secrets: Secrets },
  write: (text: string) => void
): Context {
  const opened: { close(): void | Promise<void> }[] = []
  const directory = config.SERVICE_DATA_DIR

  function keep<T extends { close(): void | Promise<void> }>(resource: T): T {
    opened.push(resource)
    return resource
  }

  /** What is in the directory is not what the server uses then. */
  function assertEmbedded(): void {
    if (secrets.database !== undefined) {
      throw new OperatorError(
        'DATABASE_URL is set: this version of the tool works on the embedded store only'
      )
    }
  }

  function ownDatabase(): OpenDatabase {
    assertEmbedded()
    // Without a database there is nothing to change, and none must be created.
    assertHoldsDatabase(directory)
    try {
      return keep(openDatabase(directory))
    } catch (error) {
      if (!(error instanceof DataDirectoryError) || !error.message.endsWith('another process')) throw error
      throw new OperatorError(`${error.message}: stop the server first`)
    }
  }

  return {
    config,
    print: (...lines) => write(lines.map(line => `${line}\n`).join('')),
    read() {
      assertEmbedded()
      return createOperatorQueries(keep(openForReading(directory)).connection)
    },
    own() {
      const { connection } = ownDatabase()
      return {
        store: createEngineStore(connection),
        queries: createOperatorQueries(connection),
        writes: createOperatorWrites(connection)
      }
    },
    chain(node) {
      const nodes = node === undefined ? config.SERVICE_BACKEND_NODE_PROVIDER : [node]
      return keep(createChainClient({ nodes, timeoutMs: RPC_TIMEOUT_MS }))
    },
    chainApi: () =>
      keep(
        createChainApi({
          baseUrl: config.SERVICE_BACKEND_NODE_PROVIDER_QUERY,
          modulePath: config.SERVICE_CHAIN_API_PATH
        })
      ),
    wallet: () => createSigner({ mnemonic: secrets.mnemonic, prefix: config.SERVICE_CHAIN_PREFIX }),
    async close() {
      for (const resource of opened.toReversed()) await resource.close()
    }
  }
}

/** The wallet's state in the store. @throws OperatorError before the first start with an account on the chain */
export function signerOf(queries: OperatorQueries): SignerState {
  const signer = queries.signer()
  if (signer) return signer
  throw new OperatorError('the store has no wallet yet: the server has not found its account on a chain')
}
