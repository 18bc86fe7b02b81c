import { Type } from '@sinclair/typebox'

/** What the client reads from the answers of the server; they hold more. */
export const Quote = Type.Object({
  feeId: Type.String({ minLength: 1 }),
  feeTotalFiat: Type.Number(),
  feeTotalBigInt: Type.String(),
  totalFeeUsd: Type.Number(),
  decimals: Type.Integer(),
  transactionValues: Type.Object({
    feeFromOrigin: Type.Object({
      allowanceAmount: Type.String(),
      submitAmount: Type.String(),
      message: Type.String()
    })
  })
})

export const Compliance = Type.Object({
  isCompliant: Type.Boolean(),
  results: Type.Array(Type.Object({ result: Type.String() }))
})

export const Submitted = Type.Object({
  submissionId: Type.String(),
  txId: Type.Integer(),
  transactionHash: Type.String(),
  height: Type.Integer()
})

export const Status = Type.Object({
  data: Type.Object({
    transaction_data: Type.Array(
      Type.Object({
        txstatus: Type.String(),
        failreason: Type.String(),
        pullhash: Type.String(),
        releasehash: Type.String()
      }),
      { minItems: 1 }
    )
  })
})
