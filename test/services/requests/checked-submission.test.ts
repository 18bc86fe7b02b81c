import { checkedSubmission } from '../../../services/requests/checked-submission.ts'
import { test } from '../../helpers/tap.ts'

const ADDRESS = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'

test('a validation gets an address in its canonical spelling, so that no other one passes a list', async t => {
  const amount = { field: 'amount', whole: '1', decimals: { value: 6, field: 'decimals' }, assumed: false }
  for (const address of [ADDRESS.toLowerCase(), `0x${ADDRESS.slice(2).toUpperCase()}`]) {
    const end = { chain: 'POL', address, symbol: 'USDC' }
    const route = { origin: { ...end, amount }, target: { ...end, amount: undefined }, hasPermit2: false }
    const checked = checkedSubmission(
      { feeId: 'f-1', route, fee: '0' },
      { origin: 6, target: 6 },
      { quote: undefined, approval: { status: 'unchecked' } }
    )
    t.match(checked, { origin: { address: ADDRESS }, target: { address: ADDRESS } })
  }
})
