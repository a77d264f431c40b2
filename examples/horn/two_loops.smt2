; Expected verdict: SAFE
; A counter goes up to n and down again; when it is done, it is where it was.
(set-logic HORN)
(declare-fun up (Int Int) Bool)
(declare-fun down (Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (up 0 n))))
(assert (forall ((i Int) (n Int)) (=> (and (up i n) (< i n)) (up (+ i 1) n))))
(assert (forall ((i Int) (n Int)) (=> (and (up i n) (>= i n)) (down i n))))
(assert (forall ((i Int) (n Int)) (=> (and (down i n) (> i 0)) (down (- i 1) n))))
(assert (forall ((i Int) (n Int)) (=> (and (down i n) (<= i 0)) (= i 0))))
(check-sat)
