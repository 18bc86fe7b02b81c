import { type ExactAmount, exactAmount, wholeText } from '../amounts.ts'

/** The terms in the message that a user signs (interface 5.14). */
export interface ApprovalTerms {
  amount: ExactAmount
  originSymbol: string
  originChain: string
  targetAddress: string
  targetChain: string
}

const MESSAGE =
  /^I approve the transfer of (?<amount>[0-9]{1,78}(?:\.[0-9]{1,36})?) (?<originSymbol>\S+) from (?<originChain>\S+) to (?<targetAddress>\S+) on (?<targetChain>\S+)\.$/

export function approvalMessage(terms: ApprovalTerms): string {
  const { amount, originSymbol, originChain, targetAddress, targetChain } = terms
  return `I approve the transfer of ${wholeText(amount)} ${originSymbol} from ${originChain} to ${targetAddress} on ${targetChain}.`
}

/** @returns undefined for any other message */
export function readApprovalMessage(text: string): ApprovalTerms | undefined {
  const { amount, originSymbol, originChain, targetAddress, targetChain } = MESSAGE.exec(text)?.groups ?? {}
  if (amount === undefined || originSymbol === undefined || originChain === undefined) return undefined
  if (targetAddress === undefined || targetChain === undefined) return undefined
  return { amount: exactAmount(amount), originSymbol, originChain, targetAddress, targetChain }
}
