import type { TransferBody } from '../../../schemas/transfer.ts'
import { readRequest } from '../../../services/requests/request.ts'
import { transferAmounts } from '../../../services/requests/transfer.ts'
import { test } from '../../helpers/tap.ts'
import { ROUTE } from '../../helpers/transfer.ts'

const WALLET = { address: 'service1creator', sign: async () => new Uint8Array(64) }
const read = (body: TransferBody) => readRequest(body, transferAmounts, WALLET)
const BODY: TransferBody = {
  ...ROUTE,
  amount: '100500000',
  fee: '50000',
  decimals: 6,
  options: '{"feeId":"f-1","signature":"0xabc"}'
}
const { fee: _fee, ...NO_FEE } = BODY
const with14Amount = { ...NO_FEE, amount: '100.5', submitAmount: '99000000' }

test('includes htlcCreationVout in the message', async t => {
  t.equal((await read({ ...BODY, htlcCreationVout: 300 })).message.htlcCreationVout, 300)
})

test('transfers the submitAmount of a version 1.4 request if it does not exceed the amount', async t => {
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

test('computes the fee of a version 1.4 request from the signed message and the submitAmount', async t => {
  const message = (amount: string) =>
    `I approve the transfer of ${amount} USDT from ETH to ${ROUTE.targetAddress} on POL.`
  t.equal((await read({ ...with14Amount, message: message('99.41275') })).message.fee, '0.41275')
  t.equal((await read({ ...with14Amount, message: message('99') })).message.fee, '0')
  t.equal((await read({ ...with14Amount, message: message('98') })).message.fee, '0')
  t.equal((await read({ ...with14Amount, message: 'I approve' })).message.fee, '0')
  t.equal((await read({ ...with14Amount, message: message('99.4'), fee: '2' })).message.fee, '0.000002')
})
