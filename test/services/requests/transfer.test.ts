import type { TransferBody } from '../../../schemas/transfer.ts'
import { readRequest } from '../../../services/requests/request.ts'
import { transferAmounts } from '../../../services/requests/transfer.ts'
import { test } from '../../helpers/tap.ts'

const WALLET = { address: 'service1creator', sign: async () => new Uint8Array(64) }
const read = (body: TransferBody) => readRequest(body, transferAmounts, WALLET)
const BODY: TransferBody = {
  originAddress: '0x01',
  originChain: 'ETH',
  originSymbol: 'USDT',
  targetAddress: '0x02',
  targetChain: 'POL',
  targetSymbol: 'USDC',
  amount: '100500000',
  fee: '50000',
  decimals: 6,
  options: '{"feeId":"f-1","signature":"0xabc"}'
}
const { fee: _fee, ...NO_FEE } = BODY
const with14Amount = { ...NO_FEE, amount: '100.5', submitAmount: '99000000' }

test('a version 1.5 request becomes the chain’s message', async t => {
  t.same(await read(BODY), {
    feeId: 'f-1',
    route: {
      origin: {
        chain: 'ETH',
        address: '0x01',
        symbol: 'USDT',
        amount: {
          field: 'amount',
          whole: '100.5',
          decimals: { value: 6, field: 'decimals' },
          assumed: false
        }
      },
      target: { chain: 'POL', address: '0x02', symbol: 'USDC', amount: undefined },
      hasPermit2: false
    },
    fee: '0.05',
    chargeFeeAtTarget: undefined,
    approval: { message: undefined, signature: '0xabc' },
    transactionIdSeed: undefined,
    message: {
      creator: WALLET.address,
      originChain: 'ETH',
      originAddress: '0x01',
      originSymbol: 'USDT',
      targetChain: 'POL',
      targetAddress: '0x02',
      targetSymbol: 'USDC',
      amount: '100.5',
      fee: '0.05',
      htlcExpirationTimestamp: '',
      htlcCreationHash: '',
      htlcCreationVout: 0,
      htlcVersion: '',
      senderPubKey: Buffer.alloc(0),
      options: '{"feeId":"f-1","signature":"0xabc"}'
    }
  })
})

test('safe integers and digit strings are equivalent', async t => {
  t.same(await read({ ...BODY, amount: 100500000, fee: 50000 }), await read(BODY))
})

test('a version 1.4 request transfers its submitAmount, of an amount that is not smaller', async t => {
  const { amount: _, ...withoutAmount } = with14Amount
  const amounts = ['100.5', 100.5, '99', '9.9e1', '99.000', 1e21].map(amount => ({
    ...withoutAmount,
    amount
  }))
  for (const body of [...amounts, withoutAmount]) {
    t.match((await read(body)).message, { amount: '99', fee: '0' })
  }
  t.equal((await read({ ...with14Amount, submitAmount: 1, fee: '2' })).message.amount, '0.000001')
  t.equal((await read({ ...with14Amount, submitAmount: 1, fee: '2' })).message.fee, '0.000002')
})

test('the fee of a version 1.4 request is what the signed message has above the submitAmount', async t => {
  const message = (amount: string) => `I approve the transfer of ${amount} USDT from ETH to 0x02 on POL.`
  t.equal((await read({ ...with14Amount, message: message('99.41275') })).message.fee, '0.41275')
  t.equal((await read({ ...with14Amount, message: message('99') })).message.fee, '0')
  t.equal((await read({ ...with14Amount, message: message('98') })).message.fee, '0')
  t.equal((await read({ ...with14Amount, message: 'I approve' })).message.fee, '0')
  t.equal((await read({ ...with14Amount, message: message('99.4'), fee: '2' })).message.fee, '0.000002')
})

test('optional fields of the request are passed on', async t => {
  const body = {
    ...BODY,
    feeId: 'f-1',
    message: 'I approve',
    htlcExpirationTimestamp: '1700000000',
    htlcCreationHash: 'h1',
    htlcCreationVout: 1,
    htlcVersion: 'v1',
    senderPubKey: '0x02FF'
  }
  t.match((await read(body)).message, {
    htlcExpirationTimestamp: '1700000000',
    htlcCreationHash: 'h1',
    htlcCreationVout: 1,
    htlcVersion: 'v1',
    senderPubKey: Buffer.from([0x02, 0xff]),
    options: '{"feeId":"f-1","signature":"0xabc","message":"I approve"}'
  })
})

const { amount: _amount, ...NO_AMOUNT } = BODY

const WRONG: [string, TransferBody, string][] = [
  ['no amount', NO_AMOUNT, '/amount'],
  ['whole tokens in the 1.5 form', { ...BODY, amount: '100.5' }, '/amount'],
  ['a fraction in the 1.5 form', { ...BODY, amount: 100.5 }, '/amount'],
  ['a number that is not exact', { ...BODY, amount: 2 ** 53 }, '/amount'],
  ['a negative amount', { ...BODY, amount: -1 }, '/amount'],
  ['an amount that is no number', { ...BODY, amount: '0x10' }, '/amount'],
  ['zero', { ...BODY, amount: '0' }, '/amount'],
  ['zero in the 1.4 form', { ...BODY, submitAmount: 0 }, '/submitAmount'],
  ['a 1.4 amount below the submitAmount', { ...with14Amount, amount: '98.999999' }, '/amount'],
  ['a 1.4 amount in the smallest unit of more decimals', { ...with14Amount, amount: 1 }, '/amount'],
  ['a 1.4 amount that is no number', { ...with14Amount, amount: 'a hundred' }, '/amount'],
  ['a negative 1.4 amount', { ...with14Amount, amount: -100 }, '/amount'],
  ['no fee', NO_FEE, '/fee'],
  ['no signature', { ...BODY, options: '{"feeId":"f"}' }, '/options/signature']
]

for (const [name, body, path] of WRONG) {
  test(`refused: ${name}`, async t => {
    await t.rejects(read(body), {
      message: /^\S+ /,
      statusCode: 400,
      details: [{ path }]
    })
  })
}
