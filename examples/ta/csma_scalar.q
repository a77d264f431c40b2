A[] forall (i : id_t) forall (j : id_t) (i != j && Station(i).transmit && Station(j).transmit imply Station(i).x < 2 * SIGMA)
