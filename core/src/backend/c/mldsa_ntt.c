/* The transforms and products of ML-DSA in portable C. NTT order: that of FIPS 204.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/c/mldsa_field.h"
#include "backend/mldsa.h"
#include "common/compiler.h"

/* A root of unity w = 1753^BitRev8(m) mod q, centred (FIPS 204, appendix B), and w * 2^32 / q, rounded. */
typedef struct {
    int32_t w, quotient;
} twiddle;

static const twiddle twiddles[256] = {
    {1, 513}, {-3572223, -1830765815}, {3765607, 1929875198}, {3761513, 1927777021}, {-3201494, -1640767044},
    {-2883726, -1477910808}, {-3145678, -1612161320}, {-3201430, -1640734244}, {-601683, -308362795}, {3542485, 1815525077},
    {2682288, 1374673747}, {2129892, 1091570561}, {3764867, 1929495947}, {-1005239, -515185417}, {557458, 285697463},
    {-1221177, -625853735}, {-3370349, -1727305304}, {-4063053, -2082316400}, {2663378, 1364982364}, {-1674615, -858240904},
    {-3524442, -1806278032}, {-434125, -222489248}, {676590, 346752664}, {-1335936, -684667771}, {-3227876, -1654287830},
    {1714295, 878576921}, {2453983, 1257667337}, {1460718, 748618600}, {-642628, -329347125}, {-3585098, -1837364258},
    {2815639, 1443016191}, {2283733, 1170414139}, {3602218, 1846138265}, {3182878, 1631226336}, {2740543, 1404529459},
    {-3586446, -1838055109}, {-3110818, -1594295555}, {2101410, 1076973524}, {3704823, 1898723372}, {1159875, 594436433},
    {394148, 202001019}, {928749, 475984260}, {1095468, 561427818}, {-3506380, -1797021249}, {2071829, 1061813248},
    {-4018989, -2059733581}, {3241972, 1661512036}, {2156050, 1104976547}, {3415069, 1750224323}, {1759347, 901666090},
    {-817536, -418987550}, {-3574466, -1831915353}, {3756790, 1925356481}, {-1935799, -992097815}, {-1716988, -879957084},
    {-3950053, -2024403852}, {-2897314, -1484874664}, {3192354, 1636082790}, {556856, 285388938}, {3870317, 1983539117},
    {2917338, 1495136972}, {1853806, 950076368}, {3345963, 1714807468}, {1858416, 952438995}, {3073009, 1574918427},
    {1277625, 654783359}, {-2635473, -1350681039}, {3852015, 1974159335}, {4183372, 2143979939}, {-3222807, -1651689966},
    {-3121440, -1599739335}, {-274060, -140455867}, {2508980, 1285853323}, {2028118, 1039411342}, {1937570, 993005454},
    {-3815725, -1955560694}, {2811291, 1440787840}, {-2983781, -1529189038}, {-1109516, -568627424}, {4158088, 2131021878},
    {1528066, 783134478}, {482649, 247357819}, {1148858, 588790216}, {-2962264, -1518161567}, {-565603, -289871779},
    {169688, 86965173}, {2462444, 1262003603}, {-3334383, -1708872713}, {-4166425, -2135294594}, {-3488383, -1787797779},
    {1987814, 1018755525}, {-3197248, -1638590967}, {1736313, 889861155}, {235407, 120646188}, {-3250154, -1665705315},
    {3258457, 1669960606}, {-2579253, -1321868265}, {1787943, 916321552}, {-2391089, -1225434135}, {-2254727, -1155548552},
    {3482206, 1784632064}, {-4182915, -2143745726}, {-1300016, -666258756}, {-2362063, -1210558298}, {-1317678, -675310538},
    {2461387, 1261461890}, {3035980, 1555941048}, {621164, 318346816}, {3901472, 1999506068}, {-1226661, -628664287},
    {2925816, 1499481951}, {3374250, 1729304568}, {1356448, 695180180}, {-2775755, -1422575624}, {2683270, 1375177022},
    {-2778788, -1424130038}, {-3467665, -1777179795}, {2312838, 1185330464}, {-653275, -334803717}, {-459163, -235321234},
    {348812, 178766299}, {-327848, -168022240}, {1011223, 518252220}, {-2354215, -1206536194}, {-3818627, -1957047970},
    {-1922253, -985155484}, {-2236726, -1146323031}, {1744507, 894060583}, {1753, 898413}, {-1935420, -991903578},
    {-2659525, -1363007700}, {-1455890, -746144248}, {2660408, 1363460238}, {-1780227, -912367099}, {-59148, -30313375},
    {2772600, 1420958686}, {1182243, 605900043}, {87208, 44694137}, {636927, 326425360}, {-3965306, -2032221021},
    {-3956745, -2027833504}, {-2296397, -1176904444}, {-3284915, -1683520342}, {-3716946, -1904936414}, {-27812, -14253662},
    {822541, 421552614}, {1009365, 517299994}, {-2454145, -1257750362}, {-1979497, -1014493059}, {1596822, 818371958},
    {-3956944, -2027935492}, {-3759465, -1926727420}, {-1685153, -863641633}, {-3410568, -1747917558}, {2678278, 1372618620},
    {-3768948, -1931587462}, {-3551006, -1819892093}, {635956, 325927722}, {-250446, -128353682}, {-2455377, -1258381762},
    {-4146264, -2124962073}, {-1772588, -908452108}, {2192938, 1123881663}, {-1727088, -885133339}, {2387513, 1223601433},
    {-3611750, -1851023419}, {-268456, -137583815}, {-3180456, -1629985060}, {3747250, 1920467227}, {2296099, 1176751719},
    {1239911, 635454918}, {-3838479, -1967222129}, {3195676, 1637785316}, {2642980, 1354528380}, {1254190, 642772911},
    {-12417, -6363718}, {2998219, 1536588520}, {141835, 72690498}, {-89301, -45766801}, {2513018, 1287922800},
    {-1354892, -694382729}, {613238, 314284737}, {-1310261, -671509323}, {-2218467, -1136965286}, {-458740, -235104446},
    {-1921994, -985022747}, {4040196, 2070602178}, {-3472069, -1779436847}, {2039144, 1045062172}, {-1879878, -963438279},
    {-818761, -419615363}, {-2178965, -1116720494}, {-1623354, -831969619}, {2105286, 1078959975}, {-2374402, -1216882040},
    {-2033807, -1042326957}, {586241, 300448763}, {-1179613, -604552167}, {527981, 270590488}, {-2743411, -1405999311},
    {-1476985, -756955444}, {1994046, 1021949428}, {2491325, 1276805128}, {-1393159, -713994583}, {507927, 260312805},
    {-1187885, -608791570}, {-724804, -371462360}, {-1834526, -940195359}, {-3033742, -1554794072}, {-338420, -173440395},
    {2647994, 1357098057}, {3009748, 1542497137}, {-2612853, -1339088280}, {4148469, 2126092136}, {749577, 384158533},
    {-4022750, -2061661095}, {3980599, 2040058690}, {2569011, 1316619236}, {-1615530, -827959816}, {1723229, 883155599},
    {1665318, 853476187}, {2028038, 1039370342}, {1163598, 596344473}, {-3369273, -1726753853}, {3994671, 2047270596},
    {-11879, -6087993}, {-1370517, -702390549}, {3020393, 1547952704}, {3363542, 1723816713}, {214880, 110126092},
    {545376, 279505433}, {-770441, -394851342}, {3105558, 1591599803}, {-1103344, -565464272}, {508145, 260424530},
    {-553718, -283780712}, {860144, 440824168}, {3430436, 1758099917}, {140244, 71875110}, {-1514152, -776003547},
    {-2185084, -1119856484}, {3123762, 1600929361}, {2358373, 1208667171}, {-2193087, -1123958025}, {-3014420, -1544891539},
    {-1716814, -879867909}, {2926054, 1499603926}, {-392707, -201262505}, {-303005, -155290192}, {3531229, 1809756372},
    {-3974485, -2036925262}, {-3773731, -1934038751}, {1900052, 973777462}, {-781875, -400711272}, {1054478, 540420426},
    {-731434, -374860238},
};

/* b w mod q up to a multiple of q, with Barrett's reduction and a quotient prepared for w, as Shoup does: the estimate of b w / q is up to 1 below it
 * and, by the rounding of the quotient, up to e = |b| / 2^33 off. Out: in [-e q, (1 + e) q]. Three multiplications, the last one subtracts. */
GIRIH_INLINE uint32_t shoup(int32_t b, twiddle z, uint32_t q)
{
    const uint32_t estimate = (uint32_t)(((int64_t)b * z.quotient) >> 32);

    return (uint32_t)b * (uint32_t)z.w - estimate * q;
}

/* (a, b) becomes (a + b w, a - b w) mod q: on Arm, whose multiplication can accumulate, four instructions: the sum, and twice a less the sum. */
GIRIH_INLINE void butterfly(int32_t *a, int32_t *b, twiddle z, uint32_t q)
{
    const uint32_t sum = ct_barrier((uint32_t)*a + shoup(*b, z, q)); /* or compilers subtract the product a second time */

    *b = (int32_t)(2 * (uint32_t)*a - sum);
    *a = (int32_t)sum;
}

/* The layers of distance 2 d and d: what is loaded is used four times. d is a constant in each of the four calls, so that loads and stores have their
 * offsets in the instruction. */
GIRIH_INLINE void forward_pass(int32_t *a, const unsigned d, uint32_t q)
{
    for (unsigned m = 64 / d; m != 128 / d; m++, a += 3 * d) {
        const twiddle z = twiddles[m], z_low = twiddles[2 * m], z_high = twiddles[2 * m + 1];

        for (const int32_t *end = a + d; a != end; a++) {
            int32_t a0 = a[0], a1 = a[d], a2 = a[2 * d], a3 = a[3 * d];

            butterfly(&a0, &a2, z, q);
            butterfly(&a1, &a3, z, q);
            butterfly(&a0, &a1, z_low, q);
            butterfly(&a2, &a3, z_high, q);
            a[0] = a0;
            a[d] = a1;
            a[2 * d] = a2;
            a[3 * d] = a3;
        }
    }
}

/* FIPS 204, Algorithm 41 (NTT). In: |a_i| < q. Out: |a_i| <= 10q: each of the 8 layers adds at most q (1 + 10 q / 2^33).
 * CT: no data-dependent step. */
GIRIH_NOINLINE void mldsa_ntt_c(int32_t a[256])
{
    const uint32_t q = ct_barrier(MLDSA_Q); /* in a register: known, compilers for size make shifts and additions of it, three for one */

    forward_pass(a, 64, q);
    forward_pass(a, 16, q);
    forward_pass(a, 4, q);
    forward_pass(a, 1, q);
}

/* (a, b) becomes (a + b, (b - a) w) mod q. */
GIRIH_INLINE void inverse_butterfly(int32_t *a, int32_t *b, twiddle z, uint32_t q)
{
    const int32_t difference = *b - *a;

    *a += *b;
    *b = (int32_t)shoup(difference, z, q);
}

/* The layers of distance d and 2 d. */
GIRIH_INLINE void inverse_pass(int32_t *a, const unsigned d, uint32_t q)
{
    for (unsigned m = 128 / d - 1; m != 64 / d - 1; m--, a += 3 * d) {
        const twiddle z = twiddles[m], z_low = twiddles[2 * m + 1], z_high = twiddles[2 * m];

        for (const int32_t *end = a + d; a != end; a++) {
            int32_t a0 = a[0], a1 = a[d], a2 = a[2 * d], a3 = a[3 * d];

            inverse_butterfly(&a0, &a1, z_low, q);
            inverse_butterfly(&a2, &a3, z_high, q);
            inverse_butterfly(&a0, &a2, z, q);
            inverse_butterfly(&a1, &a3, z, q);
            a[0] = a0;
            a[d] = a1;
            a[2 * d] = a2;
            a[3 * d] = a3;
        }
    }
}

/* b w mod q up to a multiple of q, the estimate rounded. Out: |.| <= q / 2 + q |b| / 2^33. */
GIRIH_INLINE int32_t shoup_centred(int32_t b, twiddle z, uint32_t q)
{
    const uint32_t estimate = (uint32_t)(((int64_t)b * z.quotient + (INT64_C(1) << 31)) >> 32);

    return (int32_t)((uint32_t)b * (uint32_t)z.w - estimate * q);
}

/* FIPS 204, Algorithm 42 (NTT^-1), times 2^32. In: |a_i| < q. Out: |a_i| <= 3q/4. Sums reach 256 q < 2^31, so nothing is reduced on the way; the
 * factor 2^32 / 256 comes in with the last layer. CT: no data-dependent step. */
GIRIH_NOINLINE void mldsa_intt_c(int32_t a[256])
{
    const uint32_t q = ct_barrier(MLDSA_Q);
    const twiddle z_low = twiddles[3], z_high = twiddles[2];
    const twiddle f = {16382, 8395782};     /* 2^32 / 256 mod q */
    const twiddle fz = {294725, 151046689}; /* f times twiddles[1] */

    _Static_assert((int64_t)256 * MLDSA_Q <= INT32_MAX, "intt: the sums fit 32 bits");
    inverse_pass(a, 1, q);
    inverse_pass(a, 4, q);
    inverse_pass(a, 16, q);
    for (const int32_t *end = a + 64; a != end; a++) {
        int32_t a0 = a[0], a1 = a[64], a2 = a[128], a3 = a[192];

        inverse_butterfly(&a0, &a1, z_low, q);
        inverse_butterfly(&a2, &a3, z_high, q);
        a[0] = shoup_centred(a0 + a2, f, q);
        a[64] = shoup_centred(a1 + a3, f, q);
        a[128] = shoup_centred(a2 - a0, fz, q);
        a[192] = shoup_centred(a3 - a1, fz, q);
    }
}

/* FIPS 204, Algorithm 48 (MatrixVectorNTT), one row, over 2^32; one reduction a coefficient. Ranges: backend/mldsa.h. */
void mldsa_row_times_vector_c(int32_t w[256], const int32_t *a_hat, unsigned i, const int32_t *y_hat, const mldsa_params *p)
{
    a_hat += 256 * p->l * i;
    for (unsigned c = 0; c < 256; c++) {
        int64_t sum = 0;

        for (unsigned j = 0; j < p->l; j++)
            sum += (int64_t)a_hat[256 * j + c] * y_hat[256 * j + c];
        w[c] = mldsa_montgomery_reduce(sum);
    }
}

void mldsa_matrix_times_vector_c(int32_t *w, const int32_t *a_hat, const int32_t *y_hat, const mldsa_params *p)
{
    for (unsigned i = 0; i < p->k; i++)
        mldsa_row_times_vector_c(w + 256 * i, a_hat, i, y_hat, p);
}

/* FIPS 204, Algorithm 48 (MatrixVectorNTT) with the column -c_hat t1_hat beside A_hat. Ranges: backend/mldsa.h. */
void mldsa_matrix_times_vector_minus_c(int32_t *w, const int32_t *a_hat, const int32_t *z_hat, const int32_t c_hat[256], const int32_t *t1_hat,
                                       const mldsa_params *p)
{
    for (unsigned i = 0; i < p->k; i++, w += 256, a_hat += 256 * p->l, t1_hat += 256) {
        for (unsigned c = 0; c < 256; c++) {
            int64_t sum = -(int64_t)c_hat[c] * t1_hat[c];

            for (unsigned j = 0; j < p->l; j++)
                sum += (int64_t)a_hat[256 * j + c] * z_hat[256 * j + c];
            w[c] = mldsa_montgomery_reduce(sum);
        }
    }
}

/* The layout of backend c is the standard's. */
void mldsa_a_hat_entry_c(int32_t out[256], const int32_t *a_hat, unsigned i, unsigned j, const mldsa_params *p)
{
    memcpy(out, a_hat + 256 * (p->l * i + j), 256 * sizeof out[0]);
}
