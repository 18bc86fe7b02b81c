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
  const rows = [
    ['Gas on the origin chain', originGas] as const,
    ['Processing', processing] as const,
    ['Gas on the target chain', targetGas] as const,
    ...(isSwap.value ? [['Swap', swap] as const] : [])
  ]
  return (
    <table class="fees">
      <caption class="visually-hidden">Fees in {symbol}</caption>
      <tbody>
        {rows.map(([name, fee]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{text(fee)}</td>
          </tr>
        ))}
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
