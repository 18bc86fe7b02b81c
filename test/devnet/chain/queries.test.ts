import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { moduleAddress } from '../../../packages/devnet/chain/addresses.ts'
import {
  balanceOf,
  createTestChain,
  DENOM,
  FUNDS,
  sendMessage,
  sign,
  type TestChain
} from '../../helpers/devnet/chain.ts'
import { test } from '../../helpers/tap.ts'

const ACCOUNT = '/cosmos.auth.v1beta1.Query/Account'
const BALANCE = '/cosmos.bank.v1beta1.Query/Balance'
const SIMULATE = '/cosmos.tx.v1beta1.Service/Simulate'

function queryAccount(chain: TestChain, address: string, height = 0) {
  return chain.query(ACCOUNT, QueryAccountRequest.encode({ address }).finish(), height)
}

function queryBalance(chain: TestChain, address: string, height: number) {
  const result = chain.query(BALANCE, QueryBalanceRequest.encode({ address, denom: DENOM }).finish(), height)
  return { ...result, amount: QueryBalanceResponse.decode(result.value).balance?.amount }
}

test('an account is a BaseAccount, without a key before its first transaction', async t => {
  const { chain, alice, bob } = await createTestChain()
  const read = () => {
    const { value, code, height } = queryAccount(chain, alice.address)
    const { account } = QueryAccountResponse.decode(value)
    t.match({ code, height }, { code: 0, height: chain.height })
    t.equal(account?.typeUrl, '/cosmos.auth.v1beta1.BaseAccount')
    return BaseAccount.decode(account?.value ?? new Uint8Array())
  }
  t.match(read(), { address: alice.address, accountNumber: 0n, sequence: 0n, pubKey: undefined })
  chain.submitTx(await sign(alice, 0, [sendMessage(alice.address, bob.address, 1n)]))
  t.match(read(), { sequence: 0n, pubKey: undefined })
  chain.produceBlock()
  t.match(read(), { sequence: 1n, pubKey: { typeUrl: '/cosmos.crypto.secp256k1.PubKey' } })

  const collector = queryAccount(chain, moduleAddress('fee_collector', 'service'))
  const { account } = QueryAccountResponse.decode(collector.value)
  t.match(ModuleAccount.decode(account?.value ?? new Uint8Array()), { name: 'fee_collector' })
})

test('failed queries have the errors of the SDK', async t => {
  const { chain, alice } = await createTestChain()
  const nobody = moduleAddress('nobody', 'service')
  const nothing = new Uint8Array()
  t.match(queryAccount(chain, nobody), {
    code: 22,
    codespace: 'sdk',
    log: `rpc error: code = NotFound desc = account ${nobody} not found: key not found`,
    value: nothing
  })
  t.match(queryAccount(chain, ''), {
    code: 18,
    log: 'rpc error: code = InvalidArgument desc = Address cannot be empty: invalid request'
  })
  t.match(queryAccount(chain, 'nonsense'), { code: 18, log: /^decoding bech32 failed: .*: invalid request$/ })
  t.match(chain.query('/unknown.Query/Path', nothing, 0), {
    code: 6,
    codespace: 'sdk',
    log: 'unknown query path: unknown request'
  })
  t.match(queryBalance(chain, alice.address, 2), {
    code: 26,
    log: 'cannot query with height in the future; please provide a valid height: invalid height'
  })
  t.match(queryBalance(chain, alice.address, -1), {
    code: 18,
    log: 'cannot query with height < 0; please provide a valid height: invalid request'
  })
})

test('the last thousand heights can be queried, older ones cannot', async t => {
  const { chain, alice, bob } = await createTestChain()
  chain.submitTx(await sign(alice, 0, [sendMessage(alice.address, bob.address, 5n)]))
  chain.produceBlock()
  t.match(queryBalance(chain, bob.address, 1), { amount: FUNDS.toString(), height: 1 })
  t.match(queryBalance(chain, bob.address, 2), { amount: (FUNDS + 5n).toString(), height: 2 })
  while (chain.height < 1001) chain.produceBlock()
  t.match(queryBalance(chain, bob.address, 1), { amount: FUNDS.toString() })
  chain.produceBlock()
  t.match(queryBalance(chain, bob.address, 1), {
    code: 18,
    log: 'failed to load state at height 1; version does not exist (latest height: 1002): invalid request'
  })
  t.match(queryBalance(chain, bob.address, 2), { amount: (FUNDS + 5n).toString() })
})

test('a simulation runs after the waiting transactions and changes nothing', async t => {
  const { chain, alice, bob } = await createTestChain()
  const send = (amount: bigint) => sendMessage(alice.address, bob.address, amount)
  const simulate = (txBytes: Uint8Array) =>
    chain.query(SIMULATE, SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish(), 0)
  // A client sends no fee, no gas limit and an empty signature. This signature is not valid either.
  const unsigned = async (sequence: number, amount: bigint) =>
    sign(alice, sequence, [send(amount)], {
      fee: { amount: [], gas: '0' },
      signerData: { chainId: 'elsewhere' }
    })

  const first = SimulateResponse.decode(simulate(await unsigned(0, 5n)).value)
  t.equal(first.gasInfo?.gasWanted, 0xffffffffffffffffn)
  t.ok((first.gasInfo?.gasUsed ?? 0n) > 30_000n)
  t.match(first.result?.msgResponses, [{ typeUrl: '/cosmos.bank.v1beta1.MsgSendResponse' }])
  t.ok(first.result?.events.some(({ type }) => type === 'transfer'))

  chain.submitTx(await sign(alice, 0, [send(5n)]))
  t.match(simulate(await unsigned(0, 5n)), {
    code: 6,
    codespace: 'sdk',
    log: /^rpc error: code = Unknown desc = account sequence mismatch, expected 1, got 0: incorrect account sequence \[\S+:1\] With gas wanted: '18446744073709551615' and gas used: '\d+' : unknown request$/
  })
  t.equal(simulate(await unsigned(1, 5n)).code, 0)
  t.match(simulate(await unsigned(1, FUNDS)), {
    code: 6,
    log: /^rpc error: code = Unknown desc = failed to execute message; message index: 0: spendable balance/
  })
  t.match(simulate(Buffer.from('garbage')), { code: 6, log: /tx parse error \[\S+\] With gas wanted: '0'/ })
  t.equal(chain.mempool.size, 1)
  t.equal(balanceOf(chain, bob), FUNDS)
})
