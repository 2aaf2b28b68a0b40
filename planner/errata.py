"""Where the paper's printed formulas do not hold, and what does."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Erratum:
    """A printed statement, why it fails, and the sound form."""

    id: str
    title: str
    place: str
    printed: str
    fails: str
    sound: str


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "E-D1",
        "The K-ary log-loss sums over the wrong index",
        "Definition 1",
        "for every k and i, the sum over i of u[i,k] is 1",
        "a column of probabilities need not sum to anything",
        "the sum over k of u[i,k] is 1 for every row i",
    ),
    Erratum(
        "E-FPA",
        "FPA(phi) is a fixed-point format",
        "Section 2, models of computation",
        "a floating-point format with (phi-1)/2 bits each of exponent and mantissa",
        "numbers up to 2^((phi-1)/2) at a resolution of 2^-((phi-1)/2) are fixed-point numbers",
        "predictions and scores are multiples of h = 2^-f, f = (phi-1)//2; IEEE formats are kinds of their own",
    ),
    Erratum(
        "E-T1",
        "Theorem 1 needs its quotient rounded, and bits in proportion",
        "Theorem 1",
        "T exp(-N L) is an integer that can be factored",
        "computed from a finite score it is only near an integer, and without rounding no prime divides it",
        "round to the nearest integer; the score needs log2(p_1 ... p_N) + log2(N) + 1 bits after the point",
    ),
    Erratum(
        "E-A1",
        "Algorithm 1 budgets the prediction and forgets the score",
        "Algorithm 1, Theorem 2",
        "p_m <= 2^((phi-5)/4) suffices, and Theta(1 + N phi 2^(-phi/4)) queries are optimal",
        "phi = 64 would give m = 3010 labels from a 64-bit answer, against the pigeonhole; phi = 25 with N = m = 11 is "
        "distinct only up to m = 7; phi = 17 with N = 20 allows m = 7 by blocks where the formula says 4",
        "nearest product: 2E < ln(1 + 1/b*), b* = floor((sqrt(1+4P)-1)/2), P = p_1 ... p_m; round and divide: "
        "E < ln(1 + 1/(2P))",
    ),
    Erratum(
        "E-T3",
        "The finite-precision multiclass scheme is no attack",
        "Theorem 3, finite precision",
        "blocks of m rows and m classes, h(phi) = O((ln phi)^2 / (phi + (N-K) ln K)^(2/3))",
        "a class outside the block has the same power p^0 as the first class inside: N = K = 4, m = 2 gives 81 score "
        "vectors for 256 labelings; and h(phi) has a sign error that promises fewer queries than counting allows",
        "exponents 1..b inside a block of classes and 0 outside, ceil((K-1)/b) blocks of classes: 256 of 256",
    ),
    Erratum(
        "E-A2",
        "Algorithm 2 decodes in linear time, not exponential",
        "Algorithm 2, Theorem 4",
        "an exponential-time adversary tries all 2^N labelings",
        "nothing fails: the weights are powers of two times one gap, so the labels are the binary digits of the sum",
        "linear decoding; what is exponential is the length of the numbers, about 2^N N tau bits",
    ),
    Erratum(
        "E-LM",
        "Vectors 3 exp(2^i N tau) are not robust",
        "the lemmas before Theorem 7 and in the appendix",
        "v_i = 3 exp(2^i N tau) separates scores by more than 2 tau",
        "v_2 / v_1 = exp(2 N tau) separates by exactly 2 tau; N = 3, tau = ln(3)/6: 9 * 27 = 243 collides",
        "v_i = 3^(2^i N tau), separation 2 tau ln 3; any base above e does",
    ),
    Erratum(
        "E-EU",
        "The lower bound on the largest entry is open as stated, or false",
        "Theorems 5 and 6",
        "a robust vector has a largest entry of Omega(exp(2^N N tau))",
        "for integers this is the open distinct-subset-sums conjecture; v_i = 3^(-2^i N tau) is robust with no entry "
        "above 1",
        "max |ln v_i| > 2 N tau (C(N, N//2) - 1/2)",
    ),
    Erratum(
        "E-A3",
        "Algorithm 3 takes two labels a query too many",
        "Algorithm 3, Theorem 7",
        "m = min(ceil(log2 N), floor(log2((phi-8)/(N tau ln 2))))",
        "exp(-x) is 2^(-x/ln 2), not 2^(-x ln 2): N = 128, tau = 1/128 in float64 never fails at m = 5, fails in about "
        "half of all trials at the printed m = 6 and in three quarters at m = 7; the cap by log2 N is not needed either",
        "m = floor(log2((phi-1)/(2 N tau log2 3))) with the paper's vector; ceil(log2(W/(2E))) with powers of two",
    ),
    Erratum(
        "E-RN",
        "Random noise needs a union bound over the queries",
        "Theorem 9 and its proof",
        "P(noise in [a, b]) >= delta/2, with tau = max(|a|, |b|)",
        "the probability is 1 - delta/2; and at delta = 0.05 a query, 200 queries almost surely hold one that fails",
        "recentre, tau = (b-a)/2, and give each of M queries delta/M",
    ),
    Erratum(
        "E-SE",
        "The subexponential bound is too small for small delta",
        "Theorem 10",
        "2 (lambda + nu) sqrt(ln(2/delta))",
        "sound while ln(2/delta) <= ((1+r) + sqrt((1+r)^2 - r^2/2))^2, r = lambda/nu; beyond, Chernoff's bound exceeds "
        "it, and tails outlive it: Laplace noise of scale 1, nu = 3/2, at delta = 1e-20; and the centred chi-square is "
        "subE(4, 4), not (2, 4)",
        "with l = ln(2M/delta): lambda sqrt(2l) if sqrt(2l) <= lambda/nu, else nu l + lambda^2/(2 nu)",
    ),
    Erratum(
        "E-MN",
        "Multiplicative noise: the ceiling must be a floor, and 1/4 is no limit",
        "Theorem 11",
        "ceil(log2(1/alpha) - 2) labels at a time for alpha <= 1/8, none for alpha >= 1/4",
        "alpha = 0.124, N = 1000, m = 2: every score in [1.5986, 1.6266] fits two labelings; and m = 1 works for every "
        "alpha < 1",
        "powers of two g 2^i are separable iff g (1 - alpha (2^(m+1) - 3)) > 2 alpha B, B the loss of all other rows",
    ),
    Erratum(
        "E-TB2",
        "Table 2's one-query accuracies are shares of ones, but for D1's",
        "Table 2",
        "accuracy .4891, .4446, .3448, .2647 with one query",
        "where the product is 0, every prime divides it, and the output is all ones: .4446 is 610/1372, .2647 is 81/306, "
        "and D3's .3448 is 241/699, a share of the Original set's 699 labels, not of 569; D1 is balanced, so its .4891 "
        "is not explained by it",
        "one query recovers everything in exact arithmetic, and about 13 labels in float64",
    ),
    Erratum(
        "E-F1",
        "Figure 1's limits come from the arithmetic, not from the attack",
        "Figure 1",
        "primes are exact up to N = 10 and fail from 47 on; noise .01/.1/1 allows 12/8/6 labels",
        "with rounding float64 is exact up to N = 13; 12/9/6 is where v overflows, whatever the noise is",
        "blocks on the small side, several queries",
    ),
)

ERRATA_BY_ID = {erratum.id: erratum for erratum in ERRATA}
