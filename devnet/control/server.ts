import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import type { DevnetControl } from './index.ts'

const Count = Type.Integer({ minimum: 1 })
const Blocks = Type.Integer({ minimum: 0 })
const Hash = Type.String({ pattern: '^[0-9a-fA-F]{64}$' })
const Digits = Type.String({ pattern: '^\\d{1,30}$' })
const Decimal = Type.String({ pattern: '^\\d{1,18}(\\.\\d{1,18})?$' })
const Node = Type.Optional(oneOf('first', 'lagging'))
const Text = Type.String({ minLength: 1 })
const Failure = { count: Count, code: Count, codespace: Type.String(), log: Type.String() }
const Send = {
  from: oneOf('development', 'other'),
  to: Type.Optional(Text),
  amount: Type.Optional(Digits),
  atHead: Type.Optional(Type.Boolean()),
  unordered: Type.Optional(Type.Boolean())
}

function oneOf<T extends string>(...names: T[]) {
  return Type.Union(names.map(name => Type.Literal(name)))
}

/**
 * The controls over HTTP: `POST /<control>` with a JSON object (devnet/README.md has the table), answered with a
 * JSON object. 400 for a body that the control does not accept.
 */
export async function createControlServer(
  control: DevnetControl,
  options: ListenOptions
): Promise<RunningServer> {
  const app = createApp()

  /** A control with the fields of its body. Without a result it answers `{ done: true }`. */
  function serve<T extends Record<string, TSchema>>(
    name: string,
    fields: T,
    run: (body: Static<TObject<T>>) => unknown
  ): void {
    const empty = Object.keys(fields).length === 0
    const body = Type.Object(fields, { additionalProperties: false })
    app.post(`/${name}`, empty ? {} : { schema: { body } }, async request => {
      return (await run(request.body as Static<TObject<T>>)) ?? { done: true }
    })
  }

  serve('pause', {}, control.pause)
  serve('resume', {}, control.resume)
  serve('produce-blocks', { count: Count }, ({ count }) => control.produceBlocks(count))
  serve('block-time', { ms: Count }, ({ ms }) => control.setBlockTime(ms))
  serve('evict', { hash: Hash }, ({ hash }) => ({ evicted: control.evict(hash) }))
  serve('restart', {}, control.restart)
  serve('mempool-size', { size: Blocks }, ({ size }) => control.setMempoolSize(size))
  serve('drop-next', { count: Count, cached: Type.Boolean() }, control.dropNext)
  serve('refuse-next', Failure, control.refuseNext)
  serve(
    'fail-messages',
    { ...Failure, containing: Type.Optional(Text), simulated: Type.Boolean() },
    control.failMessages
  )
  serve('max-block-gas', { gas: Digits }, ({ gas }) => control.setMaxBlockGas(BigInt(gas)))
  serve('min-gas-price', { price: Decimal }, ({ price }) => control.setMinGasPrice(price))
  serve('allow', { address: Text }, ({ address }) => control.allow(address))
  serve('disallow', { address: Text }, ({ address }) => control.disallow(address))
  serve('balance', { address: Text, amount: Digits }, ({ address, amount }) =>
    control.setBalance(address, BigInt(amount))
  )
  serve('send', Send, async ({ amount, ...rest }) => ({
    hash: await control.send({ ...rest, ...(amount !== undefined && { amount: BigInt(amount) }) })
  }))
  serve('tx-index', { index: oneOf('true', 'missing', 'wrong') }, ({ index }) => control.setTxIndex(index))
  serve('status-ahead', { blocks: Blocks }, ({ blocks }) => control.setStatusAhead(blocks))
  serve('lag', { blocks: Blocks }, ({ blocks }) => control.setLag(blocks))
  serve('prune', { height: Count, node: Node }, ({ height, node }) => control.prune(height, node))
  serve('freeze', { node: Node }, ({ node }) => control.setFrozen(true, node))
  serve('thaw', { node: Node }, ({ node }) => control.setFrozen(false, node))
  serve('upgrade', { chainId: Text }, ({ chainId }) => control.upgrade(chainId))
  return listen(app, options)
}
