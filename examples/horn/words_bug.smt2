; Expected verdict: UNSAFE
; Eight bits that are doubled and increased become smaller when they overflow.
(set-logic HORN)
(declare-fun state ((_ BitVec 8) (_ BitVec 8)) Bool)
(declare-fun wrong () Bool)
(assert (state #x00 #x00))
(assert (forall ((x (_ BitVec 8)) (last (_ BitVec 8))) (=> (state x last) (state (bvadd (bvshl x #x01) #x01) x))))
(assert (forall ((x (_ BitVec 8)) (last (_ BitVec 8)))
  (=> (and (state x last) (bvult x last)) wrong)))
(assert (forall ((x (_ BitVec 8)) (last (_ BitVec 8)))
  (=> (and (state x last) (bvugt x #x7f) (= last x)) wrong)))
(assert (=> wrong false))
(check-sat)
