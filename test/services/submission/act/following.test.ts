import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { msgRequestResponse } from '../../../../services/messages/index.ts'
import { createFollower } from '../../../../services/submission/act/following.ts'
import { test } from '../../../helpers/tap.ts'
import { blockTransaction, chainBlock, signedBytes } from '../../chain-block.ts'
import { request } from '../store-data.ts'
import { engineContext } from './engine-context.ts'

test('takes out of a slot what another store executed, and logs if both did', async t => {
  const { engine, script, store, open, entries } = await engineContext()
  const message = Buffer.from(engine.wallet.address)
  const { typeUrl, identities } = request('a')
  await store.take([
    { typeUrl, identities, message, submissionId: 'a' },
    { ...request('b'), submissionId: 'b' }
  ])
  const own = await open(['a', 'b'])
  Object.assign(engine, { identify: () => ({ identities }) })
  const messages = [{ typeUrl, value: message }]
  const value = msgRequestResponse.encode({ code: '200', msg: '', txId: 11n }).finish()
  const dataOf = (...msgResponses: object[]) =>
    TxMsgData.encode(TxMsgData.fromPartial({ msgResponses })).finish()
  const other = {
    hash: 'OTHER',
    bytes: signedBytes(0, { messages, unordered: true }),
    data: dataOf({ value })
  }
  const both = { ...own, data: dataOf({ value }, { value }) }
  script.block = height =>
    chainBlock(height, { transactions: [blockTransaction(height === 101 ? other : both)] })
  script.height = 103
  const step = createFollower(engine, { onBlock() {}, onForeign() {}, onCaughtUp() {} })
  while (engine.walletState().cursorHeight < 102) await step()
  t.match(
    entries.filter(({ message }) => /executed from two stores/.test(message)),
    [{ level: 'error', fields: { height: 102, hash: own.hash } }]
  )
  t.match(await store.find('b'), { status: 'committed', height: 102 })
})
