import type { Amount } from '../../client/index.ts'
import { grouped, tokens } from '../code/amount.ts'
import { quote } from '../state/quote.ts'
import { isSwap, transfer } from '../state/transfer.ts'

/** Shows the fees of the quote in the origin token. */
export function Fees() {
  const { originGas, processing, targetGas, swap, total } = quote.value?.fees ?? {}
  const { totalFeeUsd } = quote.value ?? {}
  const symbol = transfer.originSymbol.value
  const text = (fee: Amount | undefined) => (fee === undefined ? '—' : tokens(fee, symbol))
  return (
    <table class="fees">
      <caption class="visually-hidden">Fees in {symbol}</caption>
      <tbody>
        <Row name="Gas on the origin chain" fee={text(originGas)} />
        <Row name="Processing" fee={text(processing)} />
        <Row name="Gas on the target chain" fee={text(targetGas)} />
        {isSwap.value && <Row name="Swap" fee={text(swap)} />}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total fee</th>
          <td>
            {text(total)}
            {totalFeeUsd !== undefined && <span class="muted"> ({grouped(String(totalFeeUsd))} USD)</span>}
          </td>
        </tr>
      </tfoot>
    </table>
  )
}

function Row({ name, fee }: { name: string; fee: string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{fee}</td>
    </tr>
  )
}
