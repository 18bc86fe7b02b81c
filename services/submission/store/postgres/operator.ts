import type { Client } from 'pg'
import type { EngineStore } from '../engine-writes.ts'
import { createEngineStore } from '../engine-writes.ts'
import type { OperatorAccess } from '../operator.ts'
import { createOperatorEvents, createOperatorQueries, createOperatorWrites } from '../operator.ts'
import { createOutbox, type Webhooks } from '../outbox.ts'
import { type Dedicated, openDedicated, serverTime } from './connection.ts'
import { createDatabase, createQueries } from './database.ts'
import type { DatabaseAddress } from './database-url.ts'
import { asStoreError, DatabaseUnusableError } from './errors.ts'
import { claimAlone } from './locks.ts'
import { holdSchema, migrateSchema, migrations } from './schema.ts'
import { createTerms } from './terms.ts'

const version = migrations.length

/** How often the connection with the claim is checked, in milliseconds. The server ends it after four missed checks. */
const CHECK_MS = 1500

/**
 * The store of a wallet in a database, for the operator's tool.
 * @param options.owner the wallet's address
 * @param options.webhooks as for the server
 */
export function postgresForOperator(options: {
  address: DatabaseAddress
  owner: () => Promise<string>
  webhooks?: Webhooks | undefined
}): OperatorAccess {
  const { address, owner, webhooks } = options

  /** Opens a connection that keeps the schema as it is, and finds the wallet. */
  async function connect(checkMs: number): Promise<Dedicated & { wallet: number }> {
    const dedicated = await openDedicated(address, { checkMs })
    try {
      const { client } = dedicated
      await holdSchema(client, version)
      const account = await owner()
      const [row] = (await client.query<{ wallet: number }>(FIND_WALLET, [account])).rows
      if (row === undefined) throw new DatabaseUnusableError(`has nothing of the wallet ${account}`)
      return { ...dedicated, wallet: row.wallet }
    } catch (error) {
      await dedicated.close()
      throw asStoreError(error)
    }
  }

  /** The queries have a connection of their own, whose statements may take long. */
  async function read() {
    await assertHoldsStore(address)
    const { client, wallet, close } = await connect(0)
    return { queries: createOperatorQueries(queriesOf(client), wallet), close }
  }

  async function own() {
    await assertHoldsStore(address)
    await migrateSchema(address, migrations)
    const { client, wallet, ended, close: release } = await connect(CHECK_MS)
    const opened = [release]

    async function close(): Promise<void> {
      for (const closeOne of opened.toReversed()) await closeOne()
    }

    try {
      await claimAlone(client, wallet)
      const now = await serverTime(client)
      const database = createDatabase(address, version)
      opened.push(database.close)
      const home = { database, wallet, now }
      const events = webhooks && createOutbox(home, undefined, webhooks.subscriptions)
      const engineStore = (epoch: number, ended: AbortSignal): EngineStore =>
        createEngineStore({ ...home, epoch, ended, events })
      const terms = createTerms({ address, version, wallet, engineStore })
      opened.push(terms.close)
      const term = await terms.lead()
      if (term === undefined)
        throw new DatabaseUnusableError('is in use by the server that leads: stop it first')
      // Without the claim, servers can start.
      ended.addEventListener('abort', () => void term.resign())
      const reading = await read()
      opened.push(reading.close)
      const writes = createOperatorWrites({ ...home, epoch: term.epoch, events })
      return { store: term.store, queries: reading.queries, writes, close }
    } catch (error) {
      await close()
      throw asStoreError(error)
    }
  }

  async function events() {
    await assertHoldsStore(address)
    const { client, wallet, close } = await connect(0)
    const now = await serverTime(client)
    return { ...createOperatorEvents(queriesOf(client).run, { wallet, now }), close }
  }

  return { read, own, events }
}

const queriesOf = (client: Client) =>
  createQueries(async config => {
    try {
      return await client.query(config)
    } catch (error) {
      throw asStoreError(error)
    }
  })

/** The tool creates no store. @throws DatabaseUnusableError */
async function assertHoldsStore(address: DatabaseAddress): Promise<void> {
  const { client, close } = await openDedicated(address, { checkMs: 0 })
  try {
    const [row] = (await client.query<{ exists: boolean }>(HAS_SCHEMA)).rows
    if (!row?.exists) throw new DatabaseUnusableError('holds no submissions')
  } finally {
    await close()
  }
}

const HAS_SCHEMA = "SELECT to_regclass('schema_version') IS NOT NULL AS exists"
const FIND_WALLET = 'SELECT wallet_id AS wallet FROM wallet WHERE address = $1'
